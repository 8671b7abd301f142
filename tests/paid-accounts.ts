import { randomBytes } from 'node:crypto';
import { DAY, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { appendEntry } from '#shared/tokens/token-ledger';

/** Adds a member with a confirmed address and beta access. Returns the id. */
export async function addBetaMember(
  db: Database,
  { email, username = 'Ash', now = Date.now() }: { email: string; username?: string; now?: number },
): Promise<string> {
  const [id, stamp] = [newId(), toIso(now)];
  await db
    .insertInto('users')
    .values({
      id,
      email,
      email_verified_at: stamp,
      username,
      role: 'member',
      beta_requested_at: stamp,
      beta_approved_at: stamp,
      beta_ever_requested: 1,
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  return id;
}

/** Gives an account Pro for thirty days, as a paid subscription at Stripe does. */
export async function subscribe(db: Database, accountId: string): Promise<void> {
  const now = Date.now();
  await db
    .insertInto('subscriptions')
    .values({
      id: newId(),
      user_id: accountId,
      package_id: 'pro-monthly',
      stripe_subscription_id: `sub_${randomBytes(12).toString('hex')}`,
      status: 'active',
      current_period_start: toIso(now),
      current_period_end: toIso(now + 30 * DAY),
      created_at: toIso(now),
      updated_at: toIso(now),
    })
    .execute();
}

/** Credits tokens to an account, as a paid purchase does. */
export async function giveTokens(db: Database, accountId: string, tokens: number): Promise<void> {
  const [id, now] = [newId(), Date.now()];
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('token_purchases')
      .values({
        id,
        user_id: accountId,
        package_id: 'tokens-50',
        package_name: '50 Tokens',
        token_count: tokens,
        amount_pence: 499,
        status: 'completed',
        stripe_payment_intent_id: `pi_${randomBytes(12).toString('hex')}`,
        completed_at: toIso(now),
        created_at: toIso(now),
        updated_at: toIso(now),
      })
      .execute();
    const entry = { kind: 'purchase', tokens, purchase_id: id, source_id: id } as const;
    await appendEntry(trx, { accountId, entry, now });
  });
}
