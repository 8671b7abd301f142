import type { Account, Viewer } from '#shared/accounts/account';
import { readBetaAccess } from '#shared/beta/read-beta';
import { DAY, fromIso } from '#shared/clock';
import { listFollows } from '#shared/follows/follows';
import { findPaymentHold } from '#shared/payments/stripe-account.server';
import { readSubscription, type SubscriptionView } from '#shared/subscriptions/read-subscription';
import { readBalance } from '#shared/tokens/token-ledger';
import { listTokenPackages } from '#shared/tokens/token-packages';
import type { PaymentHold } from '~/components/payment/payment-texts';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';

/** Whole days until a stored time at `now` (epoch ms), rounded up; at least 0. */
export function daysUntil(iso: string, now: number): number {
  return Math.max(0, Math.ceil((fromIso(iso) - now) / DAY));
}

/** The account data of both member pages. A part that cannot be read is null. */
export async function readMemberFacts({ id: accountId }: Account) {
  const { db, clock } = serverContext();
  const [beta, subscription, balance] = await Promise.all([
    loadOptional(() => readBetaAccess(db, { accountId })),
    loadOptional(() => readSubscription(db, { accountId, now: clock.now() })),
    loadOptional(() => readBalance(db, { accountId })),
  ]);
  return { beta, subscription, balance, daysLeft: daysLeftOf(subscription, clock.now()) };
}

function daysLeftOf(subscription: SubscriptionView | null, now: number): number | null {
  const expiresAt = subscription?.expiresAt ?? null;
  return expiresAt === null ? null : daysUntil(expiresAt, now);
}

/** The products that a member follows; null: they could not be read. */
export function readFollows({ account, membership }: Viewer) {
  const { db, clock } = serverContext();
  return loadOptional(() => listFollows(db, { userId: account.id, tier: membership.tier, now: clock.now() }));
}

/** Why nothing can be bought; null: members can pay. */
export async function readPaymentHold(): Promise<PaymentHold | null> {
  const { payments } = serverContext();
  const hold = await loadOptional(async () => ({ hold: await findPaymentHold(payments) }));
  return hold === null ? 'unavailable' : hold.hold;
}

/** The token packages; none if they cannot be read, as specified. */
export async function readTokenPackages() {
  return (await loadOptional(() => listTokenPackages(serverContext().db))) ?? [];
}
