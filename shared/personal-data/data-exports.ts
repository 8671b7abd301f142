import type { Selectable } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { DAY, fromIso, toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { DataExportsTable } from '../database/tables/members/data-exports';
import { deleteInBatches } from '../database/delete-in-batches';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { toDue } from '../outbox/define-outbox';
import { OUTBOXES } from '../outbox/outboxes';
import type { Queues } from '../queues/connection.server';
import { enqueueDue } from '../queues/enqueue';
import type { Keyring } from '../secrets.server';
import type { FileStorage } from '../storage/storage';
import { markUploadsDeleted, removeDeletedUploads } from '../storage/upload-records';

export const exportOutbox = OUTBOXES.exports;

export type DataExport = Selectable<DataExportsTable>;

/** How long the mailed link works. */
export const LINK_LIFETIME_MS = DAY;
/** An archive that cannot be made for this long, such as on a full disk, is given up. */
const MAKING_LIFETIME_MS = DAY;
/** How long a used or ended link says so. */
export const EXPORT_RETENTION_MS = 30 * DAY;
/** The name of the stored file, and of the downloaded one. */
export const ARCHIVE_NAME = 'packwatch-data.zip';

/** Ends the archives of an account: those that are being made, and the files of those that are made. Returns the uploads. */
export async function endExports(trx: Transaction, accountId: string, now: number): Promise<string[]> {
  const made = await trx
    .selectFrom('data_exports')
    .select(['id', 'upload_id'])
    .where('user_id', '=', accountId)
    .where('upload_id', 'is not', null)
    .execute();
  const uploads = made.map(({ upload_id: id }) => id).filter((id) => id !== null);
  await trx
    .updateTable('data_exports')
    .set({ upload_id: null, updated_at: toIso(now) })
    .where('user_id', '=', accountId)
    .where('upload_id', 'is not', null)
    .execute();
  await markUploadsDeleted(trx, uploads, now);
  await trx
    .updateTable('data_exports')
    .set({ status: 'cancelled', claimed_by: null, claimed_until: null, updated_at: toIso(now) })
    .where('user_id', '=', accountId)
    .where('status', 'in', ['pending', 'sending'])
    .execute();
  return uploads;
}

/**
 * Requests an archive of an account's data, which the daemon makes and mails as a link. While one is being made, this is the
 * same request. Ends the link of an earlier archive. Writes the audit log. `queues`: null without Redis; the daemon's sweep
 * finds the request all the same.
 */
export async function requestExport(
  { db, clock, queues }: { db: Database; clock: Clock; queues: Queues | null },
  { accountId, actor }: { accountId: string; actor: Actor },
): Promise<{ isNew: boolean }> {
  const now = clock.now();
  const row = exportOutbox.newRow({ dueAt: now, expiresAt: now + MAKING_LIFETIME_MS, owner: null, now });
  const isNew = await inTransaction(db, async (trx) => {
    const unfinished = await trx
      .selectFrom('data_exports')
      .select('id')
      .where('user_id', '=', accountId)
      .where('status', 'in', ['pending', 'sending'])
      .executeTakeFirst();
    if (unfinished !== undefined) return false;
    await endExports(trx, accountId, now);
    await trx
      .insertInto('data_exports')
      .values({ ...row, user_id: accountId })
      .execute();
    await writeAudit(trx, { actor, action: 'account.request_export', subject: accountId }, now);
    return true;
  });
  if (isNew && queues?.isReady() === true)
    enqueueDue(queues, 'exports', [toDue(row)], now).catch(() => undefined);
  return { isNew };
}

/** What the account page says of the latest archive; null: none was requested in the last month. */
export interface ExportState {
  /** failed: it could not be made; ended: its link was used, has expired, or was replaced. */
  kind: 'making' | 'mailed' | 'failed' | 'ended';
  /** ISO-8601 UTC. Of `mailed`: when its link ends; else when it was requested. */
  at: string;
}

function stateOf(row: DataExport, now: number): ExportState {
  if (row.status === 'pending' || row.status === 'sending') return { kind: 'making', at: row.created_at };
  if (row.status !== 'sent')
    return { kind: row.status === 'cancelled' ? 'ended' : 'failed', at: row.created_at };
  const { available_until: until } = row;
  if (row.upload_id === null || until === null || fromIso(until) <= now)
    return { kind: 'ended', at: row.created_at };
  return { kind: 'mailed', at: until };
}

/** Reads the state of an account's latest archive. */
export async function readExportState(
  db: Database,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<ExportState | null> {
  const row = await db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : stateOf(row, clock.now());
}

const ASK_AGAIN = 'You can request a new one on your account page.';

function ended(code: string, message: string): DomainError {
  return new DomainError('NotFound', { code, message: `${message} ${ASK_AGAIN}` });
}

/** An archive that its owner can download. */
export interface AvailableExport {
  id: string;
  uploadId: string;
  /** Bytes. */
  size: number;
  /** ISO-8601 UTC. */
  until: string;
}

/**
 * The archive of a link. Throws `NotFound` with what to do: `export_token_unknown`, also for another account's archive, and
 * `export_used`, `export_expired`.
 */
export async function requireExport(
  db: Database,
  { keyring, token, accountId, clock }: { keyring: Keyring; token: string; accountId: string; clock: Clock },
): Promise<AvailableExport> {
  const id = keyring.open('data-export', token);
  const row =
    id === null
      ? undefined
      : await db
          .selectFrom('data_exports')
          .selectAll()
          .where('id', '=', id)
          .where('user_id', '=', accountId)
          .executeTakeFirst();
  if (row === undefined)
    throw new DomainError('NotFound', {
      code: 'export_token_unknown',
      message:
        'This link is not for the account that is signed in here, or it is not complete. Copy the whole link from the email, and sign in with the account that requested it.',
    });
  if (row.downloaded_at !== null) throw ended('export_used', 'This link works only once and has been used.');
  const { upload_id: uploadId, file_size: size, available_until: until } = row;
  if (uploadId === null || size === null || until === null || fromIso(until) <= clock.now())
    throw ended('export_expired', 'This link has expired, or a newer request has replaced it.');
  return { id: row.id, uploadId, size, until };
}

/** Records that the owner has all of an archive, and removes it. Repeats change nothing. */
export async function finishExport(
  { db, storage, clock }: { db: Database; storage: FileStorage; clock: Clock },
  { accountId, found: { id, uploadId } }: { accountId: string; found: AvailableExport },
): Promise<void> {
  const now = clock.now();
  const isFirst = await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('data_exports')
      .set({ upload_id: null, downloaded_at: toIso(now), updated_at: toIso(now) })
      .where('id', '=', id)
      .where('upload_id', '=', uploadId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await markUploadsDeleted(trx, [uploadId], now);
    const entry = { actor: { userId: accountId }, action: 'account.download_export', subject: accountId };
    await writeAudit(trx, entry, now);
    return true;
  });
  if (isFirst) await removeDeletedUploads({ db, storage, clock }, [uploadId]);
}

/** Removes the archives whose link has ended, and the rows that are a month old. Returns how many rows. `now`: epoch ms. */
export async function purgeExports(db: Database, now: number): Promise<number> {
  await inTransaction(db, async (trx) => {
    const over = await trx
      .selectFrom('data_exports')
      .select(['id', 'upload_id'])
      .where('upload_id', 'is not', null)
      .where('available_until', '<=', toIso(now))
      .execute();
    const uploads = over.map(({ upload_id: id }) => id).filter((id) => id !== null);
    if (uploads.length === 0) return;
    await trx
      .updateTable('data_exports')
      .set({ upload_id: null, updated_at: toIso(now) })
      .where('upload_id', 'in', uploads)
      .execute();
    await markUploadsDeleted(trx, uploads, now);
  });
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('data_exports').where('id', 'in', (from) =>
      from
        .selectFrom('data_exports')
        .select('id')
        .where('upload_id', 'is', null)
        .where('status', 'not in', ['pending', 'sending'])
        .where('created_at', '<', toIso(now - EXPORT_RETENTION_MS))
        .limit(limit),
    ),
  );
}
