import { DAY, HOUR, toIso } from '../clock';
import type { Database } from '../database/schema';
import { deleteInBatches, deleteOlder } from '../database/delete-in-batches';

/** Longer than any rule reads them. */
export const CODE_RETENTION_MS = DAY;
export const REQUEST_RETENTION_MS = HOUR;
export const MAIL_RETENTION_MS = 7 * DAY;
/** How long an account waits for its first confirmed address. It can be registered again at any time. */
export const UNCONFIRMED_RETENTION_MS = 30 * DAY;

/**
 * Deletes the accounts whose address was never confirmed: anyone can register any address. Those that an admin has
 * disabled or made an admin stay, and those with a code that may still confirm them.
 */
function deleteUnconfirmed(db: Database, now: number): Promise<number> {
  const before = toIso(now - UNCONFIRMED_RETENTION_MS);
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('users').where('id', 'in', (from) =>
      from
        .selectFrom('users')
        .select('id')
        .where('email_verified_at', 'is', null)
        .where('role', '=', 'member')
        .where('disabled_at', 'is', null)
        .where('updated_at', '<', before)
        .where(({ not, exists, or, selectFrom }) =>
          not(
            or([
              exists(
                selectFrom('verification_codes')
                  .select('verification_codes.id')
                  .whereRef('verification_codes.user_id', '=', 'users.id'),
              ),
              // The database refuses to delete these accounts.
              exists(
                selectFrom('payment_customers')
                  .select('payment_customers.id')
                  .whereRef('payment_customers.user_id', '=', 'users.id'),
              ),
              exists(
                selectFrom('token_ledger')
                  .select('token_ledger.id')
                  .whereRef('token_ledger.user_id', '=', 'users.id'),
              ),
            ]),
          ),
        )
        .limit(limit),
    ),
  );
}

/** Deletes expired sessions, challenges, codes, code requests, mails and accounts that were never confirmed. Returns how many rows. */
export async function purgeExpired(db: Database, now: number): Promise<number> {
  return (
    (await deleteOlder(db, 'sessions', now, 'expires_at')) +
    (await deleteOlder(db, 'used_challenges', now, 'expires_at')) +
    (await deleteOlder(db, 'code_requests', now - REQUEST_RETENTION_MS, 'requested_at')) +
    (await deleteOlder(db, 'verification_codes', now - CODE_RETENTION_MS)) +
    (await deleteOlder(db, 'mails', now - MAIL_RETENTION_MS)) +
    (await deleteUnconfirmed(db, now))
  );
}
