import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso } from '../clock';
import type { Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import { digestFile } from '../storage/digests.server';
import type { StagedFile } from '../storage/file-rule';
import {
  abandonUpload,
  attachUpload,
  beginUpload,
  markUploadsDeleted,
  removeDeletedUploads,
  type StorageContext,
} from '../storage/upload-records';
import { readProgramType } from './program-type.server';
import { PLATFORM_FILES, type Platform, type Release, type ReleaseChanges } from './release';
import { requireExtension, requirePlatform, requireSize } from './release-file';
import { toRelease } from './release-rows';
import { uploadCancelled } from './release-uploads';
import { saveVersion } from './save-release.server';

type Digests = NonNullable<StagedFile['digests']>;

interface NewReleaseFile {
  version: string;
  platform: Platform;
  /** The record of the upload that brought the file. */
  releaseUploadId?: string;
  file: StagedFile;
  changes: Omit<ReleaseChanges, 'version'>;
  actor: Actor;
}

/** Removes the record of an upload that ends now. Throws `Conflict` when it no longer exists. */
async function requireRecord(trx: Transaction, id: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('release_uploads')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw uploadCancelled();
}

/** Writes the row of a stored file. Returns the release, and the upload that it replaced. */
async function attachFile(
  trx: Transaction,
  {
    upload: { version, platform, releaseUploadId, file, changes, actor },
    uploadId,
    digests,
    now,
  }: { upload: NewReleaseFile; uploadId: string; digests: Digests; now: number },
): Promise<{ release: Release; replaced: string[] }> {
  if (releaseUploadId !== undefined) await requireRecord(trx, releaseUploadId);
  const row = await saveVersion(trx, { version, changes, actor, now });
  const replaced = await trx
    .deleteFrom('release_files')
    .where('release_id', '=', row.id)
    .where('platform', '=', platform)
    .returning('upload_id')
    .execute();
  const replacedIds = replaced.map(({ upload_id }) => upload_id);
  await markUploadsDeleted(trx, replacedIds, now);
  await attachUpload(trx, uploadId, now);
  await trx
    .insertInto('release_files')
    .values({
      id: releaseUploadId ?? newId(),
      release_id: row.id,
      platform,
      upload_id: uploadId,
      original_name: file.originalName,
      file_size: file.size,
      ...digests,
      created_at: toIso(now),
    })
    .execute();
  await trx
    .updateTable('releases')
    .set({ updated_at: toIso(now) })
    .where('id', '=', row.id)
    .execute();
  const { originalName, size } = file;
  await writeAudit(
    trx,
    {
      actor,
      action: replacedIds.length === 0 ? 'release.file_add' : 'release.file_replace',
      subject: row.id,
      details: { version, platform, originalName, size, sha256: digests.sha256 },
    },
    now,
  );
  return { release: await toRelease(trx, { ...row, updated_at: toIso(now) }), replaced: replacedIds };
}

/**
 * Checks the content of a staged file and makes it the file of a version for a platform: creates the release if the
 * version is new (published unless `published` is false), and replaces the platform's file, in one transaction.
 * `context.storage` is the storage of releases. Throws `Invalid` that names `file` for another extension or content and
 * for an empty file, `Unavailable` when it cannot be stored; then nothing is changed. The caller removes the staged
 * file if it still exists.
 *
 * `releaseUploadId`: the release upload that brought the file. Its record is removed in the same transaction, and its
 * id becomes the id of the file, so that a client that lost the response can read whether its upload succeeded. Throws
 * `Conflict` (`upload_cancelled`) when the record no longer exists.
 */
export async function addReleaseFile(context: StorageContext, upload: NewReleaseFile): Promise<Release> {
  const { db, storage, clock } = context;
  const { platform, file } = upload;
  requireExtension(file.originalName, platform);
  requireSize(file.size);
  requirePlatform(await readProgramType(file.path), platform);
  // Resumable uploads arrive in pieces, so their digests are not taken on arrival.
  const digests = file.digests ?? (await digestFile(file.path));
  const uploadId = await beginUpload(db, { kind: 'release', clock });
  try {
    // The staged file stays until the transaction commits: a resumable upload that fails here is finished later.
    await storage.put(uploadId, PLATFORM_FILES[platform].fileName, { path: file.path, keep: true });
    const { release, replaced } = await inTransaction(db, (trx) =>
      attachFile(trx, { upload, uploadId, digests, now: clock.now() }),
    );
    await storage.discard(file.path).catch(() => undefined);
    // Running downloads of the old file continue: they have it open.
    await removeDeletedUploads(context, replaced);
    return release;
  } catch (error) {
    await abandonUpload(context, uploadId);
    throw error;
  }
}
