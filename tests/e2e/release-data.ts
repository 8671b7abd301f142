import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { addReleaseFile } from '#shared/releases/add-release-file.server';
import { PLATFORM_FILES, PLATFORMS, type Platform, type Release } from '#shared/releases/release';
import { deleteRelease } from '#shared/releases/save-release.server';
import { listReleases } from '#shared/releases/list-releases';
import { createDiskStorage, releasesFolder } from '#shared/storage/disk-storage.server';
import { programFor } from '../fixtures/releases/programs';

const actor = { userId: null };

/** A version as a test wants it. `bytes`: the size of each file. */
export interface ReleaseSeed {
  version: string;
  platforms?: readonly Platform[];
  bytes?: number;
  /** Markdown. */
  releaseNotes?: string;
  isBeta?: boolean;
}

/** Makes these all the releases there are, published, in the data folder of a stack. */
export async function setReleases(
  db: Database,
  dataDir: string,
  seeds: readonly ReleaseSeed[],
): Promise<void> {
  const context = { db, storage: createDiskStorage(releasesFolder(dataDir)), clock: systemClock };
  for (const { id } of await listReleases(db, { publishedOnly: false }))
    await deleteRelease(context, { id, actor });
  for (const seed of seeds)
    for (const platform of seed.platforms ?? PLATFORMS) await addFile(context, { dataDir, seed, platform });
}

async function addFile(
  context: Parameters<typeof addReleaseFile>[0],
  { dataDir, seed, platform }: { dataDir: string; seed: ReleaseSeed; platform: Platform },
): Promise<Release> {
  const { version, bytes = 4_096, releaseNotes = '', isBeta = false } = seed;
  const folder = mkdtempSync(join(dataDir, 'program-'));
  const path = join(folder, 'program');
  const originalName = PLATFORM_FILES[platform].fileName;
  writeFileSync(path, programFor(platform, { bytes, seed: version }));
  const file = { path, originalName, type: 'application/octet-stream', size: bytes };
  try {
    const changes = { releaseNotes, isBeta };
    return await addReleaseFile(context, { version, platform, file, changes, actor });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
