import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  open,
  rm,
  statfs,
  type FileHandle,
  link,
  readFile,
  rename,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '../errors';
import { createDigests } from './digests.server';
import { requireSpace, SPACE_CHECK_BYTES } from './disk-space';
import { findModifiedMs, listEntries, onDisk, isMissing } from './disk.server';
import { ANY_TYPE } from './file-rule';
import { detectMediaType } from './media-type.server';
import type { FileStorage, Received } from './storage';

async function findId(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Reads the id in a file, and creates it if the file is missing. All processes that see this disk read the same id, also after
 * a restart; other disks have others. Throws `Unavailable` when the disk cannot be used.
 */
function readMachineId(path: string): Promise<string> {
  return onDisk(async () => {
    const found = await findId(path);
    if (found !== null) return found;
    await mkdir(dirname(path), { recursive: true });
    const id = randomUUID();
    const complete = `${path}.${id}`;
    await writeFile(complete, `${id}\n`, { mode: 0o600 });
    try {
      // The first of concurrent processes creates the file, with its content.
      await link(complete, path);
    } catch {
      // A file system without hard links, or another process was first.
      if ((await findId(path)) === null) await rename(complete, path);
    } finally {
      await rm(complete, { force: true });
    }
    return (await findId(path)) ?? id;
  });
}

/** Bytes from which the type of a file is detected. */
const HEAD_BYTES = 4_100;

/** Beside the staging folder. Begins with a dot, so that it cannot be an upload's id. */
const MACHINE_ID = '.machine';

/** Below this the disk counts as full. */
const MIN_FREE_BYTES = 16 * 1024 ** 2;

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

/** The detected type and its limit; null for a type that is not accepted. */
async function acceptedType(
  head: Buffer,
  accepted: Readonly<Record<string, number>>,
): Promise<{ type: string; limitBytes: number } | null> {
  const type = await detectMediaType(head);
  for (const key of [type, ANY_TYPE]) {
    const limitBytes = Object.hasOwn(accepted, key) ? accepted[key] : undefined;
    if (limitBytes !== undefined) return { type, limitBytes };
  }
  return null;
}

/** Writes the head and the rest of a file; its size, or null over the limit. `checkSpace` throws without enough space. */
async function write(
  file: FileHandle,
  head: Buffer,
  {
    rest,
    limitBytes,
    onChunk,
    checkSpace,
  }: {
    rest: AsyncIterator<Buffer>;
    limitBytes: number;
    onChunk?: (chunk: Buffer) => void;
    checkSpace: () => Promise<void>;
  },
): Promise<number | null> {
  let size = 0;
  let checkAt = SPACE_CHECK_BYTES;
  for (let chunk = head; ;) {
    size += chunk.byteLength;
    if (size > limitBytes) return null;
    onChunk?.(chunk);
    const bytes = chunk;
    await onDisk(() => file.writeFile(bytes));
    if (size >= checkAt) {
      await checkSpace();
      checkAt = size + SPACE_CHECK_BYTES;
    }
    // Outside `onDisk`: an error of the source is not an error of the disk.
    const { done, value } = await rest.next();
    if (done === true) break;
    chunk = value;
  }
  await onDisk(() => file.sync());
  return size;
}

/** Received files in a folder of the local disk, until they are stored. Every storage stages its files here. */
export function createStaging(
  folder: string,
): Pick<
  FileStorage,
  'stagingFolder' | 'machine' | 'receive' | 'discard' | 'discardStagedBefore' | 'freeBytes' | 'findFault'
> {
  let machine: Promise<string> | null = null;

  function freeBytes(): Promise<number> {
    return onDisk(async () => {
      await mkdir(folder, { recursive: true });
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    });
  }

  return {
    stagingFolder: folder,

    machine() {
      machine ??= readMachineId(join(dirname(folder), MACHINE_ID)).catch((error: unknown) => {
        machine = null;
        throw error;
      });
      return machine;
    },

    async receive(source, { accepted, digests = false, signal }): Promise<Received> {
      const chunks = withSignal(source, signal);
      const start: Buffer[] = [];
      for (let size = 0; size < HEAD_BYTES;) {
        const { done, value } = await chunks.next();
        if (done === true) break;
        start.push(value);
        size += value.byteLength;
      }
      const head = Buffer.concat(start);
      if (head.byteLength === 0) return { kind: 'empty' };
      const kind = await acceptedType(head.subarray(0, HEAD_BYTES), accepted);
      if (kind === null) {
        await drain(chunks);
        return { kind: 'type' };
      }

      const path = join(folder, randomUUID());
      try {
        const file = await onDisk(async () => {
          await mkdir(folder, { recursive: true });
          return open(path, 'wx');
        });
        const taken = digests ? createDigests() : null;
        let size: number | null;
        try {
          size = await write(file, head, {
            rest: chunks,
            limitBytes: kind.limitBytes,
            onChunk: taken?.update,
            checkSpace: () => requireSpace({ freeBytes }, 0),
          });
        } finally {
          await file.close();
        }
        if (size !== null)
          return {
            kind: 'received',
            path,
            type: kind.type,
            size,
            ...(taken !== null && { digests: taken.finish() }),
          };
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined);
        throw error;
      }
      await rm(path, { force: true });
      await drain(chunks);
      return { kind: 'size' };
    },

    async discard(path) {
      await rm(path, { force: true });
    },

    async discardStagedBefore(before) {
      let discarded = 0;
      for (const { name } of await listEntries(folder)) {
        const path = join(folder, name);
        const modifiedMs = await findModifiedMs(path);
        if (modifiedMs === null || modifiedMs >= before) continue;
        await rm(path, { recursive: true, force: true });
        discarded += 1;
      }
      return discarded;
    },

    freeBytes,

    async findFault() {
      try {
        if ((await freeBytes()) < MIN_FREE_BYTES) return `The disk of ${folder} is full.`;
        await access(folder, constants.W_OK);
        return null;
      } catch (error) {
        const { code } = (error instanceof DomainError ? error.cause : error) as { code?: unknown };
        return `The folder ${folder} cannot be written: ${String(code)}.`;
      }
    },
  };
}
