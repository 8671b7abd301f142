import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor } from '../audit/write-audit';
import { fromIso, SECOND } from '../clock';
import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import { requireSpace } from '../storage/disk-space';
import { isMissing, onDisk } from '../storage/disk.server';
import { UNKNOWN_TYPE } from '../storage/file-rule';
import type { FileStorage } from '../storage/storage';
import { requireUploadId } from '../storage/upload-path';
import type { StorageContext } from '../storage/upload-records';
import { addReleaseFile } from './add-release-file.server';
import type { Release } from './release';
import { requireExtension, requireSize } from './release-file';
import {
  beginReleaseUpload,
  endReleaseUpload,
  findReleaseUpload,
  listReleaseUploads,
  type ReleaseUpload,
} from './release-uploads';
import { lockUpload } from './upload-lock';

/** After this time, an empty upload is replaced by its sender's next one: the sender never received its address. */
const UNUSED_AFTER_MS = 2 * SECOND;

/** The refusal of a request for an upload that another request is writing or storing. */
export function uploadLocked(): DomainError {
  return new DomainError('Conflict', {
    code: 'upload_locked',
    message: 'Another request is working on this upload. Please try again in a moment.',
  });
}

export function uploadNotFound(): DomainError {
  return new DomainError('NotFound', {
    code: 'upload_not_found',
    message: 'This upload does not exist. It may have been cancelled, or have expired. Please start again.',
  });
}

/** Whether this machine holds the bytes of a resumable upload. */
async function isHere(
  storage: Pick<FileStorage, 'machine'>,
  { machine }: Pick<ReleaseUpload, 'machine'>,
): Promise<boolean> {
  return machine === null || machine === (await storage.machine());
}

/**
 * Throws `Conflict` (`upload_elsewhere`) if another machine of the site holds the bytes of an upload. An upload that does not
 * exist, or whose bytes are lost, would be sent again from the start.
 */
export async function requireBytesHere(
  { db, storage }: Pick<StorageContext, 'db' | 'storage'>,
  id: string,
): Promise<void> {
  const upload = await findReleaseUpload(db, id);
  if (upload === null || (await isHere(storage, upload))) return;
  throw new DomainError('Conflict', {
    code: 'upload_elsewhere',
    message:
      'Another server of this site has the first part of this upload. Please try again: the next attempt may reach it. ' +
      'Otherwise cancel this upload and start again.',
  });
}

/** The staged file of a resumable upload. */
export function stagedPath({ stagingFolder }: Pick<FileStorage, 'stagingFolder'>, id: string): string {
  return join(stagingFolder, requireUploadId(id));
}

/** How many bytes of a resumable upload have arrived; null if it has no file. */
export function readReceivedBytes(
  storage: Pick<FileStorage, 'stagingFolder'>,
  id: string,
): Promise<number | null> {
  return onDisk(async () => {
    try {
      return (await stat(stagedPath(storage, id))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  });
}

/** Whether an upload has bytes. Those of another machine cannot be counted: its record shows that some arrived. */
async function hasBytes(storage: FileStorage, upload: ReleaseUpload): Promise<boolean> {
  if (!(await isHere(storage, upload))) return upload.receivedAt !== upload.createdAt;
  return ((await readReceivedBytes(storage, upload.id)) ?? 0) > 0;
}

/** Removes the same admin's empty upload, so that a lost response or a killed process does not block the next one. */
async function replaceUnused(
  context: StorageContext,
  { version, platform, actor }: Pick<ReleaseUpload, 'version' | 'platform'> & { actor: Actor },
): Promise<void> {
  const { db, storage, clock } = context;
  const unused = (await listReleaseUploads(db, { version })).find(
    (upload) =>
      upload.kind === 'resumable' &&
      upload.platform === platform &&
      upload.userId === actor.userId &&
      fromIso(upload.createdAt) < clock.now() - UNUSED_AFTER_MS,
  );
  if (unused === undefined || (await hasBytes(storage, unused))) return;
  const lock = await lockUpload(db, { uploadId: unused.id, clock, waitMs: 0 });
  if (typeof lock === 'string') return;
  try {
    const current = await findReleaseUpload(db, unused.id);
    if (current !== null && !(await hasBytes(storage, current))) await removeUpload(context, unused.id);
  } finally {
    await lock.release();
  }
}

/** The bytes that running uploads have announced to this machine and not yet sent. */
async function outstandingBytes({ db, storage }: StorageContext): Promise<number> {
  let bytes = 0;
  for (const upload of await listReleaseUploads(db)) {
    const { id, kind, fileSize } = upload;
    if (kind === 'resumable' && fileSize !== null && (await isHere(storage, upload)))
      bytes += Math.max(0, fileSize - ((await readReceivedBytes(storage, id)) ?? 0));
  }
  return bytes;
}

/**
 * Begins a resumable upload of a release file. Throws `Invalid` or `TooLarge` that names `file` for a name or a size that
 * no file of the platform has, `Unavailable` (`storage_full`), and `Conflict` (`upload_in_progress`).
 */
export async function beginResumableUpload(
  context: StorageContext,
  {
    upload,
    actor,
  }: {
    upload: Pick<ReleaseUpload, 'version' | 'platform' | 'originalName' | 'changes'> & { fileSize: number };
    actor: Actor;
  },
): Promise<ReleaseUpload> {
  const { version, platform, originalName, fileSize } = upload;
  requireExtension(originalName, platform);
  requireSize(fileSize);
  await replaceUnused(context, { version, platform, actor });
  await requireSpace(context.storage, fileSize + (await outstandingBytes(context)));
  return beginReleaseUpload(context.db, {
    upload: { ...upload, kind: 'resumable', machine: await context.storage.machine() },
    actor,
    clock: context.clock,
  });
}

/** Removes the staged file and the record of an upload. The caller holds its lock. */
export async function removeUpload({ db, storage }: StorageContext, id: string): Promise<void> {
  await onDisk(() => rm(stagedPath(storage, id), { force: true }));
  await endReleaseUpload(db, id);
}

/**
 * Stores the file of a resumable upload whose last byte has arrived. Returns null when bytes are missing or the upload has
 * ended. A refusal of its content removes the upload; when it cannot be stored right now (`Unavailable`), it stays and a
 * later call stores it. Throws `uploadLocked` while another request works on it, and `Conflict` (`upload_elsewhere`) on a machine
 * that does not have its bytes.
 */
export async function finishResumableUpload(
  context: StorageContext,
  { id, actor }: { id: string; actor: Actor },
): Promise<Release | null> {
  const { db, storage, clock } = context;
  await requireBytesHere(context, id);
  const lock = await lockUpload(db, { uploadId: id, clock });
  if (lock === 'missing') return null;
  if (lock === 'held') throw uploadLocked();
  try {
    const upload = await findReleaseUpload(db, id);
    const path = stagedPath(storage, id);
    const size = await readReceivedBytes(storage, id);
    if (upload === null || size === null || size !== upload.fileSize) return null;
    try {
      return await addReleaseFile(context, {
        version: upload.version,
        platform: upload.platform,
        releaseUploadId: id,
        file: { path, originalName: upload.originalName, type: UNKNOWN_TYPE, size },
        changes: upload.changes,
        actor,
      });
    } catch (error) {
      const isRefused = error instanceof DomainError && error.kind !== 'Unavailable';
      if (isRefused || (await readReceivedBytes(storage, id)) === null) await removeUpload(context, id);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

/** Ends the request that is writing an upload, then cancels the upload. Throws `uploadLocked` and `uploadNotFound`. */
export async function cancelReleaseUpload(context: StorageContext, id: string): Promise<void> {
  const lock = await lockUpload(context.db, { uploadId: id, clock: context.clock });
  if (lock === 'missing') throw uploadNotFound();
  if (lock === 'held') throw uploadLocked();
  try {
    await removeUpload(context, id);
  } finally {
    await lock.release();
  }
}

/** The size in bytes of the file that an upload became; null if it is not, or no longer, the file of a release. */
export async function findStoredSize(db: Database, id: string): Promise<number | null> {
  const file = await db
    .selectFrom('release_files')
    .select('file_size')
    .where('id', '=', id)
    .executeTakeFirst();
  return file?.file_size ?? null;
}
