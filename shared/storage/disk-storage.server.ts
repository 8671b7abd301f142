import { fileTypeFromBuffer } from 'file-type';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '../errors';
import type { FileStorage, Received } from './storage';

/** Bytes from which the type of a file is detected. */
const HEAD_BYTES = 4_100;
const UPLOAD_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const FILE_NAME = /^[\w-]+\.\w+$/;
/** Begins with a dot, so that it cannot be an upload's id and nothing in it is served. */
const STAGING = '.part';

/** The folder of all uploads, below the data folder. */
export function uploadsFolder(dataDir: string): string {
  return join(dataDir, 'uploads');
}

/** The folder of all release files, below the data folder. */
export function releasesFolder(dataDir: string): string {
  return join(dataDir, 'releases');
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Runs work on the disk and turns a system error into `Unavailable`. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new DomainError('Unavailable', {
      code: 'storage_unavailable',
      message: 'Files cannot be stored right now. Please try again later.',
      cause: error,
    });
  }
}

/** Reads a source to its end and discards it. */
async function drain(source: AsyncIterator<Buffer>): Promise<void> {
  while (!(await source.next()).done);
}

/** Yields the chunks of a source; destroys it when the signal aborts. */
async function* withSignal(source: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stop = (): void => void source.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    yield* source as AsyncIterable<Buffer>;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function typeOf(head: Buffer): Promise<string | null> {
  return (await fileTypeFromBuffer(head))?.mime ?? null;
}

/** Stores uploads on the local disk as `{id}/{file}`. Received files stay in a staging folder until `put` moves them. */
export function createDiskStorage(root: string): FileStorage {
  const staging = join(root, STAGING);

  function folderOf(uploadId: string): string {
    if (!UPLOAD_ID.test(uploadId)) throw new Error(`not an upload id: ${JSON.stringify(uploadId)}`);
    return join(root, uploadId);
  }

  /** Writes the head and the rest of a file. Returns its size, or null when it exceeds the limit. */
  async function write(
    file: FileHandle,
    head: Buffer,
    rest: AsyncIterator<Buffer>,
    limitBytes: number,
  ): Promise<number | null> {
    let size = head.byteLength;
    if (size <= limitBytes) await onDisk(() => file.writeFile(head));
    for (;;) {
      if (size > limitBytes) return null;
      // Outside `onDisk`: an error of the source is not an error of the disk.
      const { done, value } = await rest.next();
      if (done === true) break;
      size += value.byteLength;
      if (size <= limitBytes) await onDisk(() => file.writeFile(value));
    }
    await onDisk(() => file.sync());
    return size;
  }

  return {
    async receive(source, { accepted, signal }): Promise<Received> {
      const chunks = withSignal(source, signal);
      const start: Buffer[] = [];
      for (let size = 0; size < HEAD_BYTES;) {
        const { done, value } = await chunks.next();
        if (done === true) break;
        start.push(value);
        size += value.byteLength;
      }
      const head = Buffer.concat(start);
      if (head.byteLength === 0) return { is: 'empty' };
      const type = await typeOf(head.subarray(0, HEAD_BYTES));
      const limitBytes = type !== null && Object.hasOwn(accepted, type) ? accepted[type] : undefined;
      if (type === null || limitBytes === undefined) {
        await drain(chunks);
        return { is: 'type' };
      }

      const path = join(staging, randomUUID());
      try {
        const file = await onDisk(async () => {
          await mkdir(staging, { recursive: true });
          return open(path, 'wx');
        });
        let size: number | null;
        try {
          size = await write(file, head, chunks, limitBytes);
        } finally {
          await file.close();
        }
        if (size !== null) return { is: 'received', path, type, size };
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined);
        throw error;
      }
      await rm(path, { force: true });
      await drain(chunks);
      return { is: 'size' };
    },

    async discard(path) {
      await rm(path, { force: true });
    },

    async put(uploadId, name, content) {
      if (!FILE_NAME.test(name)) throw new Error(`not a file name: ${JSON.stringify(name)}`);
      const folder = folderOf(uploadId);
      const finished = join(folder, name);
      await onDisk(async () => {
        await mkdir(folder, { recursive: true });
        if (!(content instanceof Uint8Array)) return rename(content.path, finished);
        const unfinished = join(folder, `.${name}.part`);
        const file = await open(unfinished, 'w');
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, finished);
      });
    },

    open() {
      throw new Error('not built yet');
    },

    size() {
      throw new Error('not built yet');
    },

    link() {
      return Promise.resolve(null);
    },

    freeBytes() {
      throw new Error('not built yet');
    },

    async remove(uploadId) {
      await rm(folderOf(uploadId), { recursive: true, force: true });
    },

    async list() {
      const entries = await listEntries(root);
      return entries
        .filter((entry) => entry.isDirectory() && UPLOAD_ID.test(entry.name))
        .map(({ name }) => name);
    },

    async discardBefore(before) {
      let discarded = 0;
      for (const { name } of await listEntries(staging)) {
        const path = join(staging, name);
        const modifiedMs = await findModifiedMs(path);
        if (modifiedMs === null || modifiedMs >= before) continue;
        await rm(path, { recursive: true, force: true });
        discarded += 1;
      }
      return discarded;
    },
  };
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}

async function listEntries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** When a file was last written (epoch ms); null if it no longer exists. */
async function findModifiedMs(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
