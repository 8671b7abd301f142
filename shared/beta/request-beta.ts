import type { Kysely } from 'kysely';
import type { Account } from '../accounts/account';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';

/** Requests beta access. Throws `Conflict` when it is already requested or approved. Returns the changed account. */
export async function requestBeta(
  db: Kysely<Schema>,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<Account> {
  const stamp = toIso(clock.now());
  const account = await inTransaction(db, (trx) =>
    trx
      .updateTable('users')
      .set({ beta_requested_at: stamp, beta_ever_requested: 1, updated_at: stamp })
      .where('id', '=', accountId)
      .where('beta_requested_at', 'is', null)
      .where('beta_approved_at', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  );
  if (account !== undefined) return account;
  throw new DomainError('Conflict', {
    code: 'beta_already_requested',
    message: 'You have already requested beta access.',
  });
}
