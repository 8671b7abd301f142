import type { Selectable } from 'kysely';
import type { Actor } from '../audit/write-audit';
import { DAY, MINUTE, SECOND, toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { ReleaseUploadsTable } from '../database/tables/releases';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { PLATFORM_FILES, PLATFORMS, type Platform, type ReleaseChanges } from './release';

/** An upload of a release file that has not ended. */
export interface ReleaseUpload {
  id: string;
  kind: 'form' | 'resumable';
  version: string;
  platform: Platform;
  userId: string | null;
  originalName: string;
  /** The machine whose staging folder holds the bytes; null for a form, and for uploads of an earlier release. */
  machine: string | null;
  /** Bytes, as announced; null: unknown. */
  fileSize: number | null;
  changes: Omit<ReleaseChanges, 'version'>;
  createdAt: string;
  /** When bytes last arrived. */
  receivedAt: string;
}

/** An upload that received nothing for this long counts as ended: its process has died, or its sender has stopped. */
const IDLE_LIMIT_MS = { form: 2 * MINUTE, resumable: DAY } as const;

/** How often a running upload calls `touchReleaseUpload`: several times within the shortest of these limits. */
export const TOUCH_INTERVAL_MS = 20 * SECOND;

type Row = Selectable<ReleaseUploadsTable>;

function uploadOf(row: Row): ReleaseUpload {
  return {
    id: row.id,
    kind: row.kind,
    version: row.version,
    platform: row.platform,
    userId: row.user_id,
    originalName: row.original_name,
    machine: row.machine,
    fileSize: row.file_size,
    changes: JSON.parse(row.fields) as ReleaseUpload['changes'],
    createdAt: row.created_at,
    receivedAt: row.received_at,
  };
}

/** Deletes the records of uploads that count as ended. Returns how many. */
async function deleteIdle(trx: Transaction, now: number): Promise<number> {
  let deleted = 0;
  for (const kind of ['form', 'resumable'] as const) {
    const { numDeletedRows } = await trx
      .deleteFrom('release_uploads')
      .where('kind', '=', kind)
      .where('received_at', '<', toIso(now - IDLE_LIMIT_MS[kind]))
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

function uploadInProgress({ version, platform }: Pick<Row, 'version' | 'platform'>): DomainError {
  const { label } = PLATFORM_FILES[platform];
  return new DomainError('Conflict', {
    code: 'upload_in_progress',
    message: `The ${label} file of version ${version} is being uploaded. Wait for that upload to end, or cancel it.`,
  });
}

/** The refusal of an upload whose record no longer exists. */
export function uploadCancelled(): DomainError {
  return new DomainError('Conflict', {
    code: 'upload_cancelled',
    message: 'This upload was cancelled. Nothing was stored.',
  });
}

/** Throws `Conflict` (`upload_in_progress`) while a file of the version is being uploaded. */
export async function requireNoUpload(
  trx: Transaction,
  { version, platform, now }: { version: string; platform?: Platform; now: number },
): Promise<void> {
  await deleteIdle(trx, now);
  const running = await trx
    .selectFrom('release_uploads')
    .select(['version', 'platform'])
    .where('version', '=', version)
    .where('platform', 'in', platform === undefined ? [...PLATFORMS] : [platform])
    .executeTakeFirst();
  if (running !== undefined) throw uploadInProgress(running);
}

/**
 * Records an upload before its first byte. Throws `Conflict` (`upload_in_progress`) while another one of the version and
 * platform has not ended; a form upload that received nothing for two minutes counts as ended.
 */
export function beginReleaseUpload(
  db: Database,
  {
    upload: { kind, version, platform, originalName, machine, fileSize, changes },
    actor,
    clock,
  }: {
    upload: Pick<
      ReleaseUpload,
      'kind' | 'version' | 'platform' | 'originalName' | 'machine' | 'fileSize' | 'changes'
    >;
    actor: Actor;
    clock: Clock;
  },
): Promise<ReleaseUpload> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    await requireNoUpload(trx, { version, platform, now });
    const row: Row = {
      id: newId(),
      kind,
      version,
      platform,
      user_id: actor.userId,
      original_name: originalName,
      machine,
      file_size: fileSize,
      fields: JSON.stringify(changes),
      created_at: toIso(now),
      received_at: toIso(now),
    };
    await trx.insertInto('release_uploads').values(row).execute();
    return uploadOf(row);
  });
}

/** An upload that has not ended; null if there is none. */
export async function findReleaseUpload(db: Database, id: string): Promise<ReleaseUpload | null> {
  const row = await db.selectFrom('release_uploads').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

/** Records that bytes arrived. Returns whether the upload has not ended. */
export async function touchReleaseUpload(
  db: Database,
  { id, clock }: { id: string; clock: Clock },
): Promise<boolean> {
  const { numUpdatedRows } = await inTransaction(db, (trx) =>
    trx
      .updateTable('release_uploads')
      .set({ received_at: toIso(clock.now()) })
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows > 0n;
}

/** Removes the record of an upload that ended. Idempotent. */
export async function endReleaseUpload(db: Database, id: string): Promise<void> {
  await inTransaction(db, (trx) => trx.deleteFrom('release_uploads').where('id', '=', id).execute());
}

/** Removes the records of uploads that received nothing for so long that they count as ended. Returns how many. */
export function sweepReleaseUploads(db: Database, { clock }: { clock: Clock }): Promise<number> {
  return inTransaction(db, (trx) => deleteIdle(trx, clock.now()));
}

/** The uploads that have not ended, oldest first, perhaps of one `version`. `username`: the admin; null: a command. */
export async function listReleaseUploads(
  db: Database,
  { version }: { version?: string } = {},
): Promise<(ReleaseUpload & { username: string | null })[]> {
  const rows = await db
    .selectFrom('release_uploads')
    .leftJoin('users', 'users.id', 'release_uploads.user_id')
    .selectAll('release_uploads')
    .select('users.username')
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? ''))
    .orderBy('release_uploads.created_at')
    .execute();
  return rows.map(({ username, ...row }) => ({ ...uploadOf(row), username }));
}
