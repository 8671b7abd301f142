import { Link } from '@remix-run/react';
import { describeDevice } from '#shared/accounts/describe-device';
import { clockAndDay } from '~/components/time/time-format';
import { buttonClass } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { memberQuestionAddress } from '../member-addresses';
import { Empty } from './facts';

export interface MemberSession {
  id: string;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string;
}

interface SessionsPanelProps {
  id: string;
  sessions: readonly MemberSession[];
  /** The admin's own account, which has no buttons. */
  own: boolean;
  now: number;
}

/** Where the member is signed in, with a link for each session and for all that asks before it ends. `id`: the account's. */
export function SessionsPanel({ id, sessions, own, now }: SessionsPanelProps) {
  return (
    <Panel title="Sessions">
      {sessions.length === 0 ? (
        <Empty>Not signed in anywhere.</Empty>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {sessions.map((session) => (
              <li
                key={session.id}
                className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 py-3"
              >
                <div className="min-w-0">
                  <p className="font-semibold wrap-anywhere">{describeDevice(session.userAgent)}</p>
                  <p className="text-small text-soft">
                    Last used{' '}
                    <time dateTime={session.lastSeenAt}>{clockAndDay(session.lastSeenAt, now)}</time>, signed
                    in <time dateTime={session.createdAt}>{clockAndDay(session.createdAt, now)}</time>
                  </p>
                </div>
                {own ? null : (
                  <Link
                    to={memberQuestionAddress(id, 'endSession', session.id)}
                    preventScrollReset
                    className={buttonClass()}
                  >
                    Sign out…
                    <span className="sr-only"> {describeDevice(session.userAgent)}</span>
                  </Link>
                )}
              </li>
            ))}
          </ul>
          {own ? null : (
            <p>
              <Link to={memberQuestionAddress(id, 'signOut')} preventScrollReset className={buttonClass()}>
                Sign out everywhere…
              </Link>
            </p>
          )}
        </>
      )}
    </Panel>
  );
}
