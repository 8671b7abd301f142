import { FileStore } from '@tus/file-store';
import { Upload, type Upload as TusUpload } from '@tus/server';
import { mkdir, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DAY, MINUTE } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { findReleaseUpload, touchReleaseUpload, type ReleaseUpload } from '#shared/releases/release-uploads';
import { removeUpload, stagedPath } from '#shared/releases/resumable-upload.server';
import { onDisk } from '#shared/storage/disk.server';
import { requireSpace } from '#shared/storage/disk-space';
import type { StorageContext } from '#shared/storage/upload-records';

/** The free space of the disk is checked again after so many bytes. */
const SPACE_CHECK_BYTES = 64 * 1024 ** 2;
/** How often a running upload records that bytes arrive. */
const TOUCH_INTERVAL_MS = MINUTE / 2;

/** The fields of an upload as tus metadata: texts, as the client sent them. */
function metadataOf({ originalName, version, platform, changes }: ReleaseUpload): Record<string, string> {
  const { releaseNotes, isBeta, published } = changes;
  return {
    filename: originalName,
    version,
    platform,
    ...(releaseNotes !== undefined && { release_notes: releaseNotes }),
    ...(isBeta !== undefined && { is_beta: String(isBeta) }),
    ...(published !== undefined && { published: String(published) }),
  };
}

/** Writes all of a chunk; a system call may write less. */
async function writeAll(
  file: Awaited<ReturnType<typeof open>>,
  chunk: Uint8Array,
  position: number,
): Promise<void> {
  for (let written = 0; written < chunk.byteLength;) {
    const rest = chunk.byteLength - written;
    written += (await file.write(chunk, written, rest, position + written)).bytesWritten;
  }
}

/**
 * The files of resumable uploads in the staging folder of the release storage. `release_uploads` holds what tus knows of
 * an upload, so both end together; `FileStore` would keep it in a file of its own.
 */
class StagedUploads extends FileStore {
  private readonly context: StorageContext;

  constructor(context: StorageContext) {
    super({
      directory: context.storage.stagingFolder,
      configstore: {
        get: (id) => findTusUpload(context, id),
        // The record exists before its file, and ends with it.
        set: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
      expirationPeriodInMilliseconds: DAY,
    });
    this.context = context;
    this.extensions = ['creation', 'termination', 'expiration'];
  }

  override create(upload: TusUpload): Promise<TusUpload> {
    return onDisk(() => super.create(upload));
  }

  override getUpload(id: string): Promise<TusUpload> {
    return onDisk(() => super.getUpload(id));
  }

  override remove(id: string): Promise<void> {
    return removeUpload(this.context, id);
  }

  /**
   * Writes the bytes that arrive until the source ends. Returns the new offset. On a full disk it removes the upload,
   * because the database needs the space: throws `Unavailable`.
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const { db, storage, clock } = this.context;
    let position = offset;
    let checked = offset;
    let touched = performance.now();
    const touch = (): Promise<void> => touchReleaseUpload(db, { id, clock });
    try {
      const file = await onDisk(() => open(stagedPath(storage, id), 'r+'));
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          await onDisk(() => writeAll(file, chunk, position));
          position += chunk.byteLength;
          if (position - checked >= SPACE_CHECK_BYTES) {
            checked = position;
            await requireSpace(storage, 0);
          }
          if (performance.now() - touched >= TOUCH_INTERVAL_MS) {
            touched = performance.now();
            await touch().catch(() => undefined);
          }
        }
        // `FileStore` takes the size of the file for the offset, also after a power failure.
        await onDisk(() => file.sync());
      } finally {
        await file.close();
      }
    } catch (error) {
      if (error instanceof DomainError && error.code === 'storage_full') await removeUpload(this.context, id);
      throw error;
    }
    if (position > offset) await touch();
    return position;
  }
}

async function findTusUpload({ db }: StorageContext, id: string): Promise<TusUpload | undefined> {
  const upload = await findReleaseUpload(db, id);
  if (upload?.kind !== 'resumable') return undefined;
  return new Upload({
    id,
    offset: 0,
    metadata: metadataOf(upload),
    ...(upload.fileSize !== null && { size: upload.fileSize }),
    // An upload expires a day after its last byte, not after its creation.
    creation_date: upload.receivedAt,
  });
}

/** Opens the files of resumable uploads. Throws `Unavailable` when their folder cannot be created. */
export async function openStagedUploads(context: StorageContext): Promise<FileStore> {
  // `FileStore` creates the folder too, but a failure there is an uncaught exception (@tus/file-store 2.1.1).
  await onDisk(() => mkdir(context.storage.stagingFolder, { recursive: true }));
  return new StagedUploads(context);
}
