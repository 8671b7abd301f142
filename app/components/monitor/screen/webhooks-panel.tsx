import { Link } from '@remix-run/react';
import type { WebhookView } from '#shared/alerts/webhooks/webhooks';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import type { FormResult } from '#shared/site/form-result';
import { clockAndDay } from '~/components/time/time-format';
import { Button, buttonClass } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { ChevronIcon, WarningIcon } from '~/components/ui/icons';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { deleteWebhookAddress } from '../monitor-addresses';
import type { LiveWatch } from './live-watch';
import { TestOutcome, type TestDetails } from './test-result';

const TEXTS = {
  instant: { name: 'Instant webhook', who: 'Pro members, at once.' },
  free: {
    name: 'Free webhook',
    who: 'Everyone, 30 seconds later. Without it the free audience gets no message.',
  },
  admin: { name: 'Admin webhook', who: 'Faults of the monitor. Without it admins get them by email.' },
} as const;

type Audience = keyof typeof TEXTS;

/** "Last used at 12:31 today, delivered in 86 ms", from the last alert. */
function lastUse({ alert, now }: LiveWatch, audience: Audience): string | null {
  const used = alert?.deliveries.find((delivery) => delivery.audience === audience);
  if (used?.sentAt == null) return null;
  const took = used.responseMs === null ? '' : `, delivered in ${used.responseMs.toLocaleString('en-GB')} ms`;
  return `Last used ${clockAndDay(used.sentAt, Date.parse(now))}${took}.`;
}

function isOf(audience: Audience) {
  // The dialog shows why a webhook was not deleted.
  return ({ intent, ok, details, values }: FormResult<TestDetails>) =>
    (intent !== 'delete-webhook' || ok) &&
    (details?.from ?? values?.from ?? 'webhooks') === 'webhooks' &&
    (details?.audience ?? values?.audience) === audience;
}

const INHERITED = { retailer: 'the shop', default: 'the first watch' } as const;

/** The webhook that is used while none is set. */
function Inherited({ from, webhook, fault }: NonNullable<WebhookView['inherited']>) {
  return (
    <p className="text-small [overflow-wrap:anywhere] text-soft">
      The webhook of {INHERITED[from]} is used{webhook === null ? '' : `: ${webhook}`}
      {fault === null ? '.' : `. It does not work: ${fault}.`}
    </p>
  );
}

interface WebhookFormsProps {
  stored: WebhookView;
  /** When it was last used, as a sentence; null if that is not known. */
  used: string | null;
  /** The address of the page. */
  path: string;
}

function WebhookForms({ stored, used, path }: WebhookFormsProps) {
  const { audience, webhook, fault, inherited } = stored;
  const { name, who } = TEXTS[audience];
  const { Form, result, pendingIntent } = useForms<TestDetails>(
    ['set-webhook', 'delete-webhook', 'test'],
    isOf(audience),
  );
  const isSet = webhook !== null || fault !== null;
  const input = (
    <Form method="post" preventScrollReset className="grid gap-3">
      <input type="hidden" name="audience" value={audience} />
      <TextField
        {...fieldsOf(result)('webhook_url')}
        id={`webhook-${audience}`}
        type="url"
        inputMode="url"
        label={isSet ? `New URL of the ${name.toLowerCase()}` : 'Webhook URL'}
        placeholder="https://discord.com/api/webhooks/…"
        hint="In Discord: Channel settings, Integrations, Webhooks, Copy Webhook URL. For a thread, add ?thread_id= and its id."
      />
      <p>
        <Button
          name="intent"
          value="set-webhook"
          variant={isSet ? 'plain' : 'primary'}
          aria-label={`Save the ${name.toLowerCase()}`}
          pending={pendingIntent === 'set-webhook'}
        >
          Save
        </Button>
      </p>
    </Form>
  );
  return (
    <section aria-labelledby={`webhook-name-${audience}`} className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div>
        <h3 id={`webhook-name-${audience}`} className="font-sans text-[1rem] font-semibold tracking-normal">
          {name}
        </h3>
        <p className="text-small text-soft">{who}</p>
      </div>
      <FormNotice result={result} />
      <TestOutcome result={result} />
      {inherited === null ? null : <Inherited {...inherited} />}
      {!isSet ? (
        input
      ) : (
        <>
          {webhook === null ? null : (
            <p className="rounded-control border border-line bg-sunken px-3.5 py-2 text-small [overflow-wrap:anywhere]">
              {webhook}
            </p>
          )}
          {fault === null ? null : (
            <p className="flex items-start gap-1.5 text-small text-live">
              <WarningIcon />
              <span className="pt-px [overflow-wrap:anywhere]">
                {fault}. Alerts to it fail: copy its URL again in Discord, and send a test alert.
              </span>
            </p>
          )}
          {used === null ? null : <p className="text-small text-soft">{used}</p>}
          <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
            <input type="hidden" name="audience" value={audience} />
            <input type="hidden" name="from" value="webhooks" />
            <Button
              name="intent"
              value="test"
              aria-label={`Send test alert to the ${name.toLowerCase()}`}
              pending={pendingIntent === 'test'}
            >
              Send test alert
            </Button>
            <Link
              to={deleteWebhookAddress(path, audience)}
              preventScrollReset
              aria-label={`Delete the ${name.toLowerCase()}`}
              className={buttonClass()}
            >
              Delete
            </Link>
          </Form>
          <details className="group" open={result?.intent === 'set-webhook' && !result.ok ? true : undefined}>
            <summary className="inline-flex min-h-8 cursor-pointer list-none items-center gap-1 font-semibold text-brand [&::-webkit-details-marker]:hidden">
              Change<span className="sr-only"> the {name.toLowerCase()}</span>
              <span className="transition-transform group-open:rotate-180">
                <ChevronIcon />
              </span>
            </summary>
            <div className="pt-3">{input}</div>
          </details>
        </>
      )}
    </section>
  );
}

interface WebhooksPanelProps {
  webhooks: WebhookView[] | null;
  live: LiveWatch;
  path: string;
}

/** The webhooks of the three audiences of a watch. `webhooks`: null if they could not be read. */
export function WebhooksPanel({ webhooks, live, path }: WebhooksPanelProps) {
  return (
    <Panel title="Where alerts go">
      {live.offer === null ? null : (
        <p className="text-soft">
          An audience without a webhook here uses the one of the shop, else the one of the first watch.
        </p>
      )}
      <WebhookList webhooks={webhooks} lastUseOf={(audience) => lastUse(live, audience)} path={path} />
    </Panel>
  );
}

/** The webhooks of a shop. `webhooks`: null if they could not be read. */
export function RetailerWebhooksPanel({ webhooks, path }: Omit<WebhooksPanelProps, 'live'>) {
  return (
    <Panel title="Where its alerts go">
      <p className="text-soft">
        Alerts about its products, unless their watch has a webhook. An audience without a webhook here uses
        the one of the first watch.
      </p>
      <WebhookList webhooks={webhooks} lastUseOf={() => null} path={path} />
    </Panel>
  );
}

interface WebhookListProps {
  webhooks: WebhookView[] | null;
  lastUseOf(audience: Audience): string | null;
  path: string;
}

function WebhookList({ webhooks, lastUseOf, path }: WebhookListProps) {
  if (webhooks === null) return <LoadFailed retryPath={path}>The webhooks could not be loaded.</LoadFailed>;
  return (
    <div className="divide-y divide-line">
      {webhooks.map((stored) => (
        <WebhookForms key={stored.audience} stored={stored} used={lastUseOf(stored.audience)} path={path} />
      ))}
    </div>
  );
}
