import type { Period } from './period';

/**
 * `numerator / denominator` as a whole number, halves away from zero: Stripe rounds each proration line so.
 * @param denominator above zero
 */
export function roundHalfAwayFromZero(numerator: bigint, denominator: bigint): number {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return Number(numerator < 0n ? -rounded : rounded);
}

/**
 * The part of `amount` (minor units) for the time from `at` to the end of the period, to the second (Stripe docs,
 * "Prorations"). A time before the period counts as its start, one after it as its end.
 */
export function prorate(amount: number, { start, end }: Period, at: number): number {
  const rest = end - Math.min(Math.max(at, start), end);
  return roundHalfAwayFromZero(BigInt(amount) * BigInt(rest), BigInt(end - start));
}
