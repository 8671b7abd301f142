import { clockAndDay } from '~/components/time/time-format';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Badge } from '~/components/ui/badge';
import { Button } from '~/components/ui/button';
import { describeDevice } from '#shared/accounts/describe-device';

export interface ListedSession {
  id: string;
  current: boolean;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string;
}

/** An account's sessions. All except the current one can be signed out, individually or together. */
export function SessionList({ sessions, now }: { sessions: ListedSession[]; now: string }) {
  const { Form, result, pending, pendingIntent } = useForms(['revoke', 'revokeOthers']);
  const nowMs = Date.parse(now);
  return (
    <>
      <FormNotice result={result} />
      <ul className="divide-y divide-line">
        {sessions.map(({ id, current, userAgent, createdAt, lastSeenAt }) => {
          const device = describeDevice(userAgent);
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
                  {device}
                  {current ? <Badge>This browser</Badge> : null}
                </p>
                <p className="text-small text-soft">
                  Last used <time dateTime={lastSeenAt}>{clockAndDay(lastSeenAt, nowMs)}</time>, signed in{' '}
                  <time dateTime={createdAt}>{clockAndDay(createdAt, nowMs)}</time>
                </p>
              </div>
              {current ? null : (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="sessionId" value={id} />
                  <Button name="intent" value="revoke" pending={pending?.get('sessionId') === id}>
                    Sign out
                    <span className="sr-only"> {device}</span>
                  </Button>
                </Form>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.some(({ current }) => !current) ? (
        <Form method="post" preventScrollReset>
          <Button name="intent" value="revokeOthers" pending={pendingIntent === 'revokeOthers'}>
            Sign out everywhere else
          </Button>
        </Form>
      ) : null}
    </>
  );
}
