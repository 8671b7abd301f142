import { sql } from 'kysely';
import { DAY, HOUR, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import { deleteInBatches } from '../database/delete-in-batches';

/** Longer than any rule reads them. */
export const CODE_RETENTION_MS = DAY;
export const REQUEST_RETENTION_MS = HOUR;
export const MAIL_RETENTION_MS = 7 * DAY;

/** Deletes expired sessions, codes, code requests and mails. Returns how many rows. */
export async function purgeExpired(db: Database, now: number): Promise<number> {
  const deleteBefore = (
    table: 'sessions' | 'code_requests' | 'verification_codes' | 'mails',
    column: 'expires_at' | 'requested_at' | 'created_at',
    before: number,
  ): Promise<number> =>
    deleteInBatches(db, (trx, limit) =>
      trx
        .deleteFrom(table)
        .where('id', 'in', (from) =>
          from.selectFrom(table).select('id').where(sql.ref<string>(column), '<', toIso(before)).limit(limit),
        ),
    );
  return (
    (await deleteBefore('sessions', 'expires_at', now)) +
    (await deleteBefore('code_requests', 'requested_at', now - REQUEST_RETENTION_MS)) +
    (await deleteBefore('verification_codes', 'created_at', now - CODE_RETENTION_MS)) +
    (await deleteBefore('mails', 'created_at', now - MAIL_RETENTION_MS))
  );
}
