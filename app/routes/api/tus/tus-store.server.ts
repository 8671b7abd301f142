import { DataStore, ERRORS, Upload } from '@tus/server';
import { mkdir, open, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DAY } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { findWrongStart, HEAD_BYTES } from '#shared/releases/program-type.server';
import { requirePlatform } from '#shared/releases/release-file';
import {
  findReleaseUpload,
  TOUCH_INTERVAL_MS,
  touchReleaseUpload,
  type ReleaseUpload,
} from '#shared/releases/release-uploads';
import { readReceivedBytes, removeUpload, stagedPath } from '#shared/releases/resumable-upload.server';
import { onDisk } from '#shared/storage/disk.server';
import { requireSpace, SPACE_CHECK_BYTES } from '#shared/storage/disk-space';
import type { StorageContext } from '#shared/storage/upload-records';

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
 * The files of resumable uploads in the staging folder of the release storage. The state of an upload is in `release_uploads`,
 * so both end together. The packaged file store keeps that in a second file, loses the cause of a failed write,
 * and ends the process when it cannot create its folder (@tus/file-store 2.1.1).
 */
class StagedUploads extends DataStore {
  override extensions = ['creation', 'termination', 'expiration'];
  private readonly context: StorageContext;

  constructor(context: StorageContext) {
    super();
    this.context = context;
  }

  /** Creates the empty file. Its record exists already. */
  override create(upload: Upload): Promise<Upload> {
    const { storage } = this.context;
    return onDisk(async () => {
      await mkdir(storage.stagingFolder, { recursive: true });
      await writeFile(stagedPath(storage, upload.id), '');
      return upload;
    });
  }

  override async getUpload(id: string): Promise<Upload> {
    const { db, storage } = this.context;
    const upload = await findReleaseUpload(db, id);
    const offset = await readReceivedBytes(storage, id);
    if (upload?.kind !== 'resumable' || upload.fileSize === null || offset === null)
      throw ERRORS.FILE_NOT_FOUND;
    return new Upload({
      id,
      size: upload.fileSize,
      offset,
      metadata: metadataOf(upload),
      // An upload expires a day after its last byte, not after its creation.
      creation_date: upload.receivedAt,
    });
  }

  private async requireStart(id: string): Promise<void> {
    const { db, storage } = this.context;
    const upload = await findReleaseUpload(db, id);
    if (upload === null) return;
    const wrong = await onDisk(() => findWrongStart(stagedPath(storage, id), upload.platform));
    if (wrong !== null) requirePlatform(wrong, upload.platform);
  }

  override getExpiration(): number {
    return DAY;
  }

  /**
   * Writes the bytes that arrive until the source ends. Returns the new offset. Removes the upload and throws on a full
   * disk (`Unavailable`), because the database needs the space, and as soon as its first bytes show that it is no program
   * of its platform (`Invalid`), because the rest could be 2 GB.
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const { db, storage, clock } = this.context;
    let position = offset;
    let checked = offset;
    let isStartChecked = false;
    let touched = performance.now();
    const touch = async (): Promise<void> => {
      await touchReleaseUpload(db, { id, clock });
    };
    try {
      const file = await onDisk(() => open(stagedPath(storage, id), 'r+'));
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          await onDisk(() => writeAll(file, chunk, position));
          position += chunk.byteLength;
          if (offset < HEAD_BYTES && position >= HEAD_BYTES && !isStartChecked) {
            isStartChecked = true;
            await this.requireStart(id);
          }
          if (position - checked >= SPACE_CHECK_BYTES) {
            checked = position;
            await requireSpace(storage, 0);
          }
          if (performance.now() - touched >= TOUCH_INTERVAL_MS) {
            touched = performance.now();
            await touch().catch(() => undefined);
          }
        }
        // The size of the file is the offset, also after a power failure.
        await onDisk(() => file.sync());
      } finally {
        await file.close();
      }
    } catch (error) {
      const isFinal = error instanceof DomainError && ['storage_full', 'file_type'].includes(error.code);
      if (isFinal) await removeUpload(this.context, id);
      throw error;
    }
    if (position > offset) await touch();
    return position;
  }
}

/** Creates the store of the tus server for the uploads of release files. `context.storage`: of releases. */
export function createTusStore(context: StorageContext): DataStore {
  return new StagedUploads(context);
}
