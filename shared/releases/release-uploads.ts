import type { Kysely } from 'kysely';
import type { Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { Platform } from './release';
import type { ReleaseChanges } from './save-release.server';

/** An upload of a release file that has not ended. */
export interface ReleaseUpload {
  id: string;
  kind: 'form' | 'resumable';
  version: string;
  platform: Platform;
  userId: string | null;
  originalName: string;
  /** Bytes, as announced; null: unknown. */
  fileSize: number | null;
  changes: Omit<ReleaseChanges, 'version'>;
  createdAt: string;
  /** When bytes last arrived. */
  receivedAt: string;
}

/**
 * Records an upload before its first byte. Throws `Conflict` (`upload_in_progress`) while another one of the version and
 * platform has not ended; a form upload that received nothing for two minutes counts as ended.
 */
export function beginReleaseUpload(
  db: Kysely<Schema>,
  {
    upload,
    actor,
    clock,
  }: {
    upload: Pick<ReleaseUpload, 'kind' | 'version' | 'platform' | 'originalName' | 'fileSize' | 'changes'>;
    actor: Actor;
    clock: Clock;
  },
): Promise<ReleaseUpload> {
  throw new Error('not built yet', { cause: { db, upload, actor, clock } });
}

/** Records that bytes arrived. */
export function touchReleaseUpload(
  db: Kysely<Schema>,
  { id, clock }: { id: string; clock: Clock },
): Promise<void> {
  throw new Error('not built yet', { cause: { db, id, clock } });
}

/** Removes the record of an upload that ended. Idempotent. */
export function endReleaseUpload(db: Kysely<Schema>, id: string): Promise<void> {
  throw new Error('not built yet', { cause: { db, id } });
}

/** Lists the uploads that have not ended, the oldest first. `version`: those of one version. */
export function listReleaseUploads(
  db: Kysely<Schema>,
  { version }: { version?: string } = {},
): Promise<ReleaseUpload[]> {
  throw new Error('not built yet', { cause: { db, version } });
}
