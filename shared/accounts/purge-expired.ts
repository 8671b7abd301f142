import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DeleteResult, Transaction } from 'kysely';
import { DAY, HOUR, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';

/** Longer than any rule reads them. */
export const CODE_RETENTION_MS = DAY;
export const REQUEST_RETENTION_MS = HOUR;
export const MAIL_RETENTION_MS = 7 * DAY;
/** Small batches, so that other writers do not wait long. */
const BATCH = 200;

type Step = (trx: Transaction<Schema>) => Promise<DeleteResult>;

function steps(now: number): Step[] {
  return [
    (trx) =>
      trx
        .deleteFrom('sessions')
        .where('id', 'in', (from) =>
          from.selectFrom('sessions').select('id').where('expires_at', '<', toIso(now)).limit(BATCH),
        )
        .executeTakeFirst(),
    (trx) =>
      trx
        .deleteFrom('code_requests')
        .where('id', 'in', (from) =>
          from
            .selectFrom('code_requests')
            .select('id')
            .where('requested_at', '<', toIso(now - REQUEST_RETENTION_MS))
            .limit(BATCH),
        )
        .executeTakeFirst(),
    (trx) =>
      trx
        .deleteFrom('verification_codes')
        .where('id', 'in', (from) =>
          from
            .selectFrom('verification_codes')
            .select('id')
            .where('created_at', '<', toIso(now - CODE_RETENTION_MS))
            .limit(BATCH),
        )
        .executeTakeFirst(),
    (trx) =>
      trx
        .deleteFrom('mails')
        .where('id', 'in', (from) =>
          from
            .selectFrom('mails')
            .select('id')
            .where('created_at', '<', toIso(now - MAIL_RETENTION_MS))
            .limit(BATCH),
        )
        .executeTakeFirst(),
  ];
}

/** Deletes expired sessions, codes, code requests and mails in small transactions. Returns how many rows. */
export async function purgeExpired(db: Database, now: number): Promise<number> {
  let deleted = 0;
  for (const step of steps(now)) {
    for (;;) {
      const { numDeletedRows } = await inTransaction(db, step);
      deleted += Number(numDeletedRows);
      if (Number(numDeletedRows) < BATCH) break;
      await yieldToEventLoop();
    }
  }
  return deleted;
}
