import { DELIVERY_WORDS, type DeliveryState } from '#shared/alerts/deliveries/delivery-state';
import type { MemberResult } from '#shared/member-alerts/member-results';
import type { LastAlert } from './live-watch';

type Counts = Record<DeliveryState, number>;

const STATES = Object.keys(DELIVERY_WORDS) as DeliveryState[];

const BY_URGENCY: readonly DeliveryState[] = [
  'failed',
  'expired',
  'tryingAgain',
  'sending',
  'waiting',
  'sent',
  'handled',
  'cancelled',
];

/** How many deliveries of a channel are in each state, the most urgent first, without empty states. */
export function countsOf(result: MemberResult): [DeliveryState, number][] {
  return BY_URGENCY.map((state): [DeliveryState, number] => [state, result[state]]).filter(
    ([, count]) => count > 0,
  );
}

/** How far an alert has reached its receivers. */
export interface DeliverySummary {
  reached: number;
  /** All receivers, without those that no longer needed the message. */
  total: number;
  /** "reached everyone", "2 failed, 1 waiting" */
  words: string;
  /** bad: an admin has to act; busy: the daemon is still sending; partial: a receiver was left out, and that is settled. */
  tone: 'good' | 'busy' | 'partial' | 'bad';
}

function countStates({ deliveries, members }: LastAlert): { counts: Counts; reached: number } {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Counts;
  let reached = 0;
  for (const { state, sentAt } of deliveries) {
    counts[state] += 1;
    if (sentAt !== null) reached += 1;
  }
  for (const result of members?.results ?? []) {
    for (const state of STATES) counts[state] += result[state];
    reached += result.sent;
  }
  return { counts, reached };
}

const number = (count: number): string => count.toLocaleString('en-GB');

/** Sums up the deliveries of an alert, to audiences and to members. */
export function summariseDeliveries(alert: LastAlert): DeliverySummary {
  const { counts, reached } = countStates(alert);
  const total = STATES.reduce((sum, state) => sum + counts[state], 0) - counts.cancelled;
  const listing = alert.members !== null && !alert.members.complete;
  const parts = [
    [counts.failed, 'failed'],
    [counts.expired, 'expired'],
    [counts.cancelled, 'cancelled'],
    [counts.tryingAgain, 'trying again'],
    [counts.waiting + counts.sending, 'on the way'],
    [counts.handled, 'handled'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${number(count)} ${what}`);
  if (listing) words.push('listing members');
  if (total + counts.cancelled === 0 && !listing) words.push('no receiver was set');
  else if (words.length === 0) words.push('reached everyone');
  return {
    reached,
    total,
    words: words.join(', '),
    tone:
      counts.failed + counts.expired > 0 || (total + counts.cancelled === 0 && !listing)
        ? 'bad'
        : counts.tryingAgain + counts.waiting + counts.sending > 0 || listing
          ? 'busy'
          : reached < total || counts.cancelled > 0
            ? 'partial'
            : 'good',
  };
}
