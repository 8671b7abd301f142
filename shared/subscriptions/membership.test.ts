import { describe, expect, it } from 'vitest';
import { DAY, toIso } from '../clock';
import { FREE_MEMBERSHIP, GRACE_MS, membershipOf, type StoredSubscription } from './membership';

const PERIOD_END = Date.parse('2026-12-20T12:00:00.000Z');
const GRACE_END = PERIOD_END + GRACE_MS;
const AFTER_ALL = PERIOD_END + 365 * DAY;

type Terms = Parameters<typeof membershipOf>[0];

function terms(changes: Partial<NonNullable<Terms>> = {}): NonNullable<Terms> {
  return {
    status: 'active',
    current_period_end: toIso(PERIOD_END),
    cancel_at_period_end: 0,
    cancel_at: null,
    grace_until: null,
    ...changes,
  };
}

const cancelling = terms({ cancel_at_period_end: 1 });
const pastDue = terms({ status: 'past_due', grace_until: toIso(GRACE_END) });

/** The tier of a subscription at the last moment of a time and at its first moment afterwards. */
function tiersAround(subscription: Terms, time: number): string[] {
  return [time - 1, time].map((now) => membershipOf(subscription, now).tier);
}

describe('membershipOf', () => {
  it('an account without a subscription is free', () => {
    expect(membershipOf(null, PERIOD_END)).toEqual(FREE_MEMBERSHIP);
  });

  it('an active subscription gives Pro until its period ends, and says that it renews', () => {
    expect(membershipOf(terms(), PERIOD_END - DAY)).toEqual({
      tier: 'pro',
      expiresAt: toIso(PERIOD_END),
      cancelAtPeriodEnd: false,
    });
    expect(membershipOf(terms({ status: 'trialing' }), PERIOD_END - DAY).tier).toBe('pro');
  });

  it('the event of a renewal may arrive late: Pro continues for three days, and no longer', () => {
    expect(GRACE_MS).toBe(3 * DAY);
    expect(tiersAround(terms(), PERIOD_END)).toEqual(['pro', 'pro']);
    expect(tiersAround(terms(), PERIOD_END + GRACE_MS)).toEqual(['pro', 'free']);
    expect(membershipOf(terms(), PERIOD_END + DAY).expiresAt).toBe(toIso(PERIOD_END));
  });

  it('a cancelled subscription ends with its period, without a grace and without an event', () => {
    expect(membershipOf(cancelling, PERIOD_END - 1)).toEqual({
      tier: 'pro',
      expiresAt: toIso(PERIOD_END),
      cancelAtPeriodEnd: true,
    });
    expect(tiersAround(cancelling, PERIOD_END)).toEqual(['pro', 'free']);
    expect(membershipOf(cancelling, PERIOD_END)).toEqual(FREE_MEMBERSHIP);
  });

  it('after a failed renewal Pro continues until the end of the grace, which expiresAt names', () => {
    // The period of a past-due subscription is the unpaid one, which ends later than the grace.
    const unpaid = { ...pastDue, current_period_end: toIso(PERIOD_END + 30 * DAY) };
    expect(membershipOf(unpaid, PERIOD_END + DAY)).toEqual({
      tier: 'pro',
      expiresAt: toIso(GRACE_END),
      cancelAtPeriodEnd: false,
    });
    expect(tiersAround(unpaid, GRACE_END)).toEqual(['pro', 'free']);
  });

  it('another unpaid invoice than the renewal leaves the paid period, also when Stripe gives it up', () => {
    const otherUnpaid = { ...pastDue, grace_until: null };
    expect(membershipOf(otherUnpaid, PERIOD_END - DAY).expiresAt).toBe(toIso(PERIOD_END));
    // The event of the renewal may be late; it is not paid, or it clears everything.
    expect(tiersAround(otherUnpaid, GRACE_END)).toEqual(['pro', 'free']);
    expect(tiersAround({ ...otherUnpaid, status: 'unpaid' }, PERIOD_END)).toEqual(['pro', 'free']);
  });

  it('a date of cancellation ends Pro, within the period, in the grace or periods later', () => {
    const early = toIso(PERIOD_END - 10 * DAY);
    expect(membershipOf(terms({ cancel_at: early }), PERIOD_END - 11 * DAY)).toEqual({
      tier: 'pro',
      expiresAt: early,
      cancelAtPeriodEnd: true,
    });
    expect(tiersAround(terms({ cancel_at: early }), PERIOD_END - 10 * DAY)).toEqual(['pro', 'free']);
    expect(tiersAround(terms({ cancel_at: toIso(PERIOD_END) }), PERIOD_END)).toEqual(['pro', 'free']);
    const later = terms({ cancel_at: toIso(PERIOD_END + 50 * DAY) });
    expect(membershipOf(later, PERIOD_END)).toMatchObject({ tier: 'pro', cancelAtPeriodEnd: true });
    expect(tiersAround(later, GRACE_END)).toEqual(['pro', 'free']);
    expect(tiersAround({ ...pastDue, cancel_at: early }, PERIOD_END - 10 * DAY)).toEqual(['pro', 'free']);
  });

  it.each<StoredSubscription['status']>([
    'creating',
    'abandoned',
    'incomplete',
    'incomplete_expired',
    'unpaid',
    'paused',
    'canceled',
  ])('a subscription that is %s gives nothing, even within its period', (status) => {
    expect(membershipOf(terms({ status, grace_until: toIso(AFTER_ALL) }), PERIOD_END - DAY)).toEqual(
      FREE_MEMBERSHIP,
    );
  });

  it('an active subscription without a period gives nothing', () => {
    expect(membershipOf(terms({ current_period_end: null }), PERIOD_END - DAY)).toEqual(FREE_MEMBERSHIP);
  });
});
