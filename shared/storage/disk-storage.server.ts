import { link, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, listEntries, onDisk } from './disk.server';
import { createStaging } from './staging.server';
import type { FileStorage } from './storage';
import { requireFileName, requireUploadId, UPLOAD_ID } from './upload-path';

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

/** The folder of received files, below the folder of an area. */
export function stagingFolderOf(root: string): string {
  return join(root, STAGING);
}

/** Creates a hard link. Returns false if the file system has none. */
async function tryToLink(path: string, second: string): Promise<boolean> {
  try {
    await link(path, second);
    return true;
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String((error as { code?: unknown }).code)))
      return false;
    throw error;
  }
}

/** Stores uploads on the local disk as `{id}/{file}`. Received files stay in a staging folder until `put` moves them. */
export function createDiskStorage(root: string): FileStorage {
  const folderOf = (uploadId: string): string => join(root, requireUploadId(uploadId));
  const pathOf = (uploadId: string, name: string): string => join(folderOf(uploadId), requireFileName(name));

  /** Runs work on a stored file; null if the file does not exist. */
  function onStored<T>(work: () => Promise<T | null>): Promise<T | null> {
    return onDisk(async () => {
      try {
        return await work();
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  function openLocal(uploadId: string, name: string): Promise<FileHandle | null> {
    return onStored(async () => {
      const file = await open(pathOf(uploadId, name), 'r');
      try {
        if ((await file.stat()).isFile()) return file;
      } catch (error) {
        await file.close();
        throw error;
      }
      await file.close();
      return null;
    });
  }

  const staging = createStaging(stagingFolderOf(root));
  return {
    ...staging,
    location: root,

    async put(uploadId, name, content) {
      const folder = folderOf(uploadId);
      const finished = pathOf(uploadId, name);
      await onDisk(async () => {
        await mkdir(folder, { recursive: true });
        const unfinished = join(folder, `.${name}.part`);
        if (!(content instanceof Uint8Array)) {
          if (content.keep !== true || !(await tryToLink(content.path, unfinished)))
            return rename(content.path, finished);
          return rename(unfinished, finished);
        }
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

    async open(uploadId, name, range) {
      const file = await openLocal(uploadId, name);
      if (file === null) return null;
      const { size } = await file.stat();
      return { stream: file.createReadStream(range), size };
    },

    openLocal,

    size(uploadId, name) {
      return onStored(async () => {
        const stats = await stat(pathOf(uploadId, name));
        return stats.isFile() ? stats.size : null;
      });
    },

    link() {
      return Promise.resolve(null);
    },

    async remove(uploadId) {
      await rm(folderOf(uploadId), { recursive: true, force: true });
    },

    discardBefore: staging.discardStagedBefore,

    async list() {
      const entries = await listEntries(root);
      return entries
        .filter((entry) => entry.isDirectory() && UPLOAD_ID.test(entry.name))
        .map(({ name }) => name);
    },
  };
}
