import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, onDisk } from './disk.server';

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
export function readMachineId(path: string): Promise<string> {
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
