import type Stripe from 'stripe';

/** A time span in epoch seconds. */
export interface Period {
  start: number;
  end: number;
}

type Recurring = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;

const DAY = 86_400;

/**
 * The time of the `count`th renewal after `anchor` (epoch seconds). Months and years keep the anchor's day and time in
 * UTC; a month without that day takes its last one (Stripe docs, "Set the subscription billing renewal date").
 */
export function renewalTime(
  anchor: number,
  { interval, interval_count: length }: Recurring,
  count: number,
): number {
  const units = length * count;
  if (interval === 'day') return anchor + units * DAY;
  if (interval === 'week') return anchor + units * 7 * DAY;
  const start = new Date(anchor * 1000);
  const months = start.getUTCMonth() + units * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return (
    Date.UTC(
      start.getUTCFullYear(),
      months,
      Math.min(start.getUTCDate(), lastDay),
      start.getUTCHours(),
      start.getUTCMinutes(),
      start.getUTCSeconds(),
    ) / 1000
  );
}

/** The period that starts at `start`, a time at which a subscription with this anchor renews. */
export function periodFrom(anchor: number, recurring: Recurring, start: number): Period {
  let count = 1;
  while (renewalTime(anchor, recurring, count) <= start) count += 1;
  return { start, end: renewalTime(anchor, recurring, count) };
}

/** Whether two prices renew at the same interval. A change to another interval starts a new period. */
export function isSameInterval(one: Recurring, other: Recurring): boolean {
  return one.interval === other.interval && one.interval_count === other.interval_count;
}
