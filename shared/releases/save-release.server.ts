import type { Kysely } from 'kysely';
import type { Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { StorageContext } from '../storage/upload-records';
import type { Release } from './release';

export interface ReleaseChanges {
  version?: string;
  /** Markdown. */
  releaseNotes?: string;
  isBeta?: boolean;
  /** False withdraws it: members no longer see it. */
  published?: boolean;
}

/** Creates a release without files. Throws `Conflict` if the version exists. */
export function createRelease(
  db: Kysely<Schema>,
  { fields, actor, clock }: { fields: Required<ReleaseChanges>; actor: Actor; clock: Clock },
): Promise<Release> {
  throw new Error('not built yet', { cause: { db, fields, actor, clock } });
}

/** Changes a release. Throws `NotFound`, and `Conflict` if another release has the version. */
export function changeRelease(
  db: Kysely<Schema>,
  { id, changes, actor, clock }: { id: string; changes: ReleaseChanges; actor: Actor; clock: Clock },
): Promise<Release> {
  throw new Error('not built yet', { cause: { db, id, changes, actor, clock } });
}

/** Deletes a release with its files. Throws `NotFound`. */
export function deleteRelease(
  context: StorageContext,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  throw new Error('not built yet', { cause: { context, id, actor } });
}
