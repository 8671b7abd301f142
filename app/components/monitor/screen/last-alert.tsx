import { useId, type ReactNode } from 'react';
import { describeAttempts } from '#shared/alerts/deliveries/describe-attempts';
import type { DeliveryView } from '#shared/alerts/list-alerts';
import type { MemberResult } from '#shared/member-alerts/member-results';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { clockAndDay, clockSecond, elapsed } from '~/components/time/time-format';
import { useNow } from '~/components/time/dates';
import { Button } from '~/components/ui/button';
import { LoadFailed } from '~/components/ui/notice';
import { countsOf } from './delivery-summary';
import { LAST_ALERT_ID } from './status-cards';
import type { LastAlert, LiveWatch } from './live-watch';
import { DELIVERY_WORDS, type DeliveryState } from '#shared/alerts/deliveries/delivery-state';
import { ClockIcon, CloseIcon, icon, OpenIcon, WarningIcon } from '~/components/ui/icons';

const RetryIcon = icon('M16.5 10a6.5 6.5 0 1 1-2-4.700M16.500 3v3.500H13');

const AUDIENCE_NAMES = {
  instant: 'Instant audience',
  free: 'Free audience',
  admin: 'Admins',
} as const;
const CHANNEL_NAMES = { discord: 'Discord', email: 'email', push: 'push' } as const;

/** "86 ms after detection", "30.1 s after detection" */
function delayText(openedAt: string, at: string): string {
  const ms = Math.max(0, Date.parse(at) - Date.parse(openedAt));
  const delay =
    ms < 1_000
      ? `${ms} ms`
      : ms < 120_000
        ? `${(ms / 1_000).toFixed(1)} s`
        : elapsed(openedAt, Date.parse(at));
  return `${delay} after detection`;
}

function deliveryFacts(delivery: DeliveryView, openedAt: string): string {
  const { state, sentAt, dueAt } = delivery;
  const facts: string[] = [];
  if (sentAt !== null) facts.push(`at ${clockSecond(sentAt)}, ${delayText(openedAt, sentAt)}`);
  else if (state === 'waiting' || state === 'tryingAgain') facts.push(`due ${clockSecond(dueAt)}`);
  if (state === 'cancelled') facts.push('the alert closed before it was due');
  const attempts = describeAttempts(delivery);
  if (attempts !== '') facts.push(attempts);
  return facts.join(' · ');
}

type AlertForms = ReturnType<typeof useForms>;

/** The two buttons of a failed delivery, or of the failed deliveries of a channel. */
function Actions({
  forms: { Form, pending, pendingIntent },
  intents,
  fields,
  of,
  retry,
  handle,
}: {
  forms: AlertForms;
  intents: { retry: string; handle: string };
  /** Identifies what the buttons are about. */
  fields: Record<string, string>;
  /** Names the delivery for screen readers. */
  of: string;
  retry: boolean;
  handle: boolean;
}) {
  if (!retry && !handle) return null;
  const isPending = (intent: string) =>
    pendingIntent === intent && Object.entries(fields).every(([name, value]) => pending?.get(name) === value);
  return (
    <Form method="post" preventScrollReset className="mt-2 flex flex-wrap gap-2">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {retry ? (
        <Button
          name="intent"
          value={intents.retry}
          aria-label={`Retry: ${of}`}
          pending={isPending(intents.retry)}
        >
          Retry
        </Button>
      ) : null}
      {handle ? (
        <Button
          name="intent"
          value={intents.handle}
          aria-label={`Mark as handled: ${of}`}
          pending={isPending(intents.handle)}
        >
          Mark as handled
        </Button>
      ) : null}
    </Form>
  );
}

interface DeliveryRowProps {
  delivery: DeliveryView;
  alert: LastAlert;
  forms: AlertForms;
}

function DeliveryRow({ delivery, alert, forms }: DeliveryRowProps) {
  const name = `${AUDIENCE_NAMES[delivery.audience]}, ${CHANNEL_NAMES[delivery.channel]}`;
  const facts = deliveryFacts(delivery, alert.openedAt);
  const isWrong = delivery.state !== 'sent' && delivery.lastError !== null;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-semibold">{name}</span>
        <DeliveryBadge state={delivery.state} />
      </div>
      {facts === '' ? null : <p className="text-small text-soft">{facts}</p>}
      {isWrong ? (
        <p className="mt-1 text-small [overflow-wrap:anywhere]">
          {delivery.sentAt === null ? 'Reason' : 'It was posted, but not updated. Reason'}:{' '}
          {delivery.lastError}
        </p>
      ) : null}
      {delivery.state === 'failed' && !delivery.canRetry ? (
        <p className="mt-1 text-small text-soft">The alert is closed, so its message has expired.</p>
      ) : null}
      <Actions
        forms={forms}
        intents={{ retry: 'retry', handle: 'handle' }}
        fields={{ deliveryId: delivery.id }}
        of={name}
        retry={delivery.canRetry}
        handle={delivery.state === 'failed' || delivery.state === 'expired'}
      />
    </li>
  );
}

function MemberRow({ result, alert, forms }: { result: MemberResult; alert: LastAlert; forms: AlertForms }) {
  const name = `Members, ${result.channel}`;
  return (
    <li className="py-3">
      <span className="font-semibold">{name}</span>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {countsOf(result).map(([state, count]) => (
          <DeliveryBadge key={state} state={state} count={count} />
        ))}
      </p>
      {result.reasons.length === 0 ? null : (
        <ul className="mt-1 text-small [overflow-wrap:anywhere]">
          {result.reasons.map(({ reason, count }) => (
            <li key={reason}>
              {count.toLocaleString('en-GB')} × {reason}
            </li>
          ))}
        </ul>
      )}
      <Actions
        forms={forms}
        intents={{ retry: 'retry-members', handle: 'handle-members' }}
        fields={{ channel: result.channel, alertId: alert.id }}
        of={name}
        retry={result.failed > 0 && alert.status === 'open'}
        handle={result.failed + result.expired > 0}
      />
    </li>
  );
}

/** `what`: what opened and closed. */
function Story({ alert, what, nowMs }: { alert: LastAlert; what: string; nowMs: number }) {
  const opened = <time dateTime={alert.openedAt}>{clockAndDay(alert.openedAt, nowMs)}</time>;
  if (alert.status === 'open')
    return (
      <p className="text-soft">
        {what} opened at {opened}, {elapsed(alert.openedAt, nowMs)} ago, and is still open.
      </p>
    );
  if (alert.status === 'suspended' || alert.closedAt === null)
    return (
      <p className="text-soft">
        {what} opened at {opened}. Monitoring is stopped or outside its hours, so we do not know whether it is
        still open.
      </p>
    );
  const closed = <time dateTime={alert.closedAt}>{clockAndDay(alert.closedAt, nowMs)}</time>;
  return (
    <p className="text-soft">
      {what} opened at {opened} and {alert.closeReason === null ? 'closed' : 'was last seen'} at {closed},
      after {elapsed(alert.openedAt, Date.parse(alert.closedAt))}.
    </p>
  );
}

/** The newest alert: when, and each delivery with its state in words, its attempts and its reason. */
export function LastAlertPanel({ live, path }: { live: LiveWatch; path: string }) {
  const headingId = useId();
  const nowMs = useNow(live.now);
  const forms = useForms(['retry', 'handle', 'retry-members', 'handle-members']);
  const { alert } = live;
  return (
    <section
      id={LAST_ALERT_ID}
      aria-labelledby={headingId}
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 id={headingId} className="text-title">
        Last alert
      </h2>
      <FormNotice result={forms.result} />
      {alert === null ? (
        <p className="text-soft">
          No alert yet. When {live.offer === null ? 'a waiting room opens' : 'the product is back'}, this
          shows who was notified, and when.
        </p>
      ) : (
        <>
          <Story alert={alert} what={live.offer === null ? 'The waiting room' : 'The alert'} nowMs={nowMs} />
          <ul className="divide-y divide-line border-t border-line">
            {alert.deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} alert={alert} forms={forms} />
            ))}
            {(alert.members?.results ?? []).map((result) => (
              <MemberRow key={result.channel} result={result} alert={alert} forms={forms} />
            ))}
          </ul>
          {alert.deliveries.length === 0 ? (
            <p className="text-soft">No webhook was set when it opened, so nothing was posted to Discord.</p>
          ) : null}
          {alert.members === null ? (
            <LoadFailed retryPath={path}>The deliveries to members could not be loaded.</LoadFailed>
          ) : !alert.members.complete ? (
            <p className="text-small text-soft">Members are still being listed.</p>
          ) : null}
        </>
      )}
    </section>
  );
}

const STYLES: Record<DeliveryState, { className: string; icon: ReactNode }> = {
  waiting: { className: 'text-soft', icon: <ClockIcon /> },
  sending: { className: 'text-soft', icon: <ClockIcon /> },
  tryingAgain: { className: 'text-unknown', icon: <RetryIcon /> },
  sent: { className: 'text-open', icon: <OpenIcon /> },
  cancelled: { className: 'text-soft', icon: <CloseIcon /> },
  failed: { className: 'text-live', icon: <WarningIcon /> },
  expired: { className: 'text-unknown', icon: <WarningIcon /> },
  handled: { className: 'text-soft', icon: <OpenIcon /> },
};

/** The state of a delivery in a word, with its colour and icon. `count`: how many deliveries are in it. */
function DeliveryBadge({ state, count }: { state: DeliveryState; count?: number }) {
  const { className, icon } = STYLES[state];
  return (
    <span className={`inline-flex items-center gap-1.5 font-[650] whitespace-nowrap ${className}`}>
      {icon}
      {count === undefined ? null : `${count.toLocaleString('en-GB')} `}
      {count === undefined ? DELIVERY_WORDS[state] : DELIVERY_WORDS[state].toLowerCase()}
    </span>
  );
}
