import type { Config } from '../config.server';
import { createDiskStorage, releasesFolder, stagingFolderOf, uploadsFolder } from './disk-storage.server';
import { createS3Storage } from './s3/s3-storage.server';
import type { FileStorage } from './storage';

/** `releases` holds the uploads of the kinds `release` and `export`, which are never public; `uploads` all others. */
export type StorageArea = 'uploads' | 'releases';

/**
 * Opens the storage of an area: below `dataDir`, or in the bucket when S3 is configured. Files are received on the local
 * disk in both cases. Nothing is connected to or created before the first use.
 */
export function openStorage({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>, area: StorageArea): FileStorage {
  const folder = area === 'releases' ? releasesFolder(dataDir) : uploadsFolder(dataDir);
  if (s3 === null) return createDiskStorage(folder);
  return createS3Storage(s3, { prefix: `${area}/`, stagingFolder: stagingFolderOf(folder) });
}
