import { createAccount, findAccountByEmail, type Account } from '#shared/accounts/account';
import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { inTransaction } from '#shared/database/transaction';
import { DomainError } from '#shared/errors';
import { requireStripe, type PaymentsContext } from '#shared/payments/payments-context';
import { callStripe } from '#shared/payments/stripe-errors';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { syncSubscription } from '#shared/subscriptions/sync/sync-subscription.server';
import { startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { consumeTokens } from '#shared/tokens/consume-tokens';
import { syncPurchase } from '#shared/tokens/sync-purchase.server';

/** A card of Stripe's test mode with which every payment succeeds (docs.stripe.com/testing, "Payment methods"). */
const TEST_CARD = 'pm_card_visa';
const PLAN = 'pro-monthly';
const TOKENS = 'tokens-50';
const TASKS = 8;

/** The addresses of the demo members. */
export interface DemoMembers {
  /** Has Pro and tokens. */
  pro?: string | undefined;
  /** Has beta access. */
  free?: string | undefined;
}

/** Adds a confirmed account with beta access; null when the address already has an account, which stays unchanged. */
async function addMember(
  db: Database,
  { email, username, now }: { email: string; username: string; now: number },
): Promise<Account | null> {
  return inTransaction(db, async (trx) => {
    if ((await findAccountByEmail(trx, email)) !== null) return null;
    const { id } = await createAccount(trx, { email, username }, now);
    const stamp = toIso(now);
    return trx
      .updateTable('users')
      .set({
        email_verified_at: stamp,
        beta_requested_at: stamp,
        beta_approved_at: stamp,
        beta_ever_requested: 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Pays as a browser does, with the test card. Returns the id of the payment. */
async function payByTestCard(context: PaymentsContext, clientSecret: string): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_');
  const { client } = requireStripe(context);
  await callStripe(() =>
    client.paymentIntents.confirm(id, {
      payment_method: TEST_CARD,
      return_url: `${context.appUrl}/dashboard/subscription`,
    }),
  );
  return id;
}

/** Buys a plan and tokens at Stripe, and spends some tokens. Stripe's state is then written. */
async function buyEverything(context: PaymentsContext, account: Account): Promise<void> {
  const { db, clock } = context;
  await syncPackages(context);
  const plan = await startSubscription(context, { account, packageId: PLAN });
  if (plan.clientSecret !== null) await payByTestCard(context, plan.clientSecret);
  const { stripe_subscription_id: subscriptionId } = await db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('id', '=', plan.attemptId)
    .executeTakeFirstOrThrow();
  if (subscriptionId !== null) await syncSubscription(context, subscriptionId);

  const tokens = await startTokenPurchase(context, { account, packageId: TOKENS });
  await syncPurchase(context, await payByTestCard(context, tokens.clientSecret));
  for (let task = 1; task <= TASKS; task += 1)
    await consumeTokens(db, { accountId: account.id, taskId: `demo-task-${task}`, clock });
}

/**
 * Adds the demo members that have no account yet. `context.stripe` is the sandbox's, where the Pro member pays for a plan
 * and for tokens, or null. Returns a sentence for each new member.
 */
export async function addDemoMembers(
  context: PaymentsContext,
  { pro, free }: DemoMembers,
): Promise<string[]> {
  const now = context.clock.now();
  const lines: string[] = [];
  if (free !== undefined && (await addMember(context.db, { email: free, username: 'Fred', now })) !== null)
    lines.push(`${free} has beta access.`);
  if (pro === undefined) return lines;
  const account = await addMember(context.db, { email: pro, username: 'Priya', now });
  if (account === null) return lines;
  if (context.stripe === null) {
    lines.push(`${pro} has beta access, but not Pro, which only the sandbox’s Stripe sells for a demo.`);
    return lines;
  }
  try {
    await buyEverything(context, account);
    lines.push(`${pro} has beta access, Pro and tokens.`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    lines.push(`${pro} has beta access, but could not buy Pro and tokens: ${error.message}`);
  }
  return lines;
}
