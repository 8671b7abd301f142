import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#shared/ids';
import { addReleaseFile } from '#shared/releases/add-release-file.server';
import { PLATFORM_FILES, type Platform, type Release } from '#shared/releases/release';
import { serverContext } from '~/http/server/context.server';
import { freePort } from '../../free-port';
import { createApiFixture, type ApiFixture, type PersonaName } from '../api/api-fixture';
import { startSite } from '../running-site';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Makes a program the file of a version for a platform; the version is published. */
export async function publishFile(version: string, platform: Platform, content: Buffer): Promise<Release> {
  const { db, clock, releaseStorage: storage } = serverContext();
  await mkdir(storage.stagingFolder, { recursive: true });
  const path = join(storage.stagingFolder, newId());
  await writeFile(path, content);
  const file = {
    path,
    originalName: `Packwatch Setup${PLATFORM_FILES[platform].extension}`,
    type: 'application/octet-stream',
    size: content.byteLength,
  };
  const upload = { version, platform, file, changes: {}, actor: { userId: null } };
  return addReleaseFile({ db, storage, clock }, upload);
}

/** The site over HTTP, and members who download. */
export interface DownloadFixture extends Pick<ApiFixture, 'db' | 'account' | 'signIn'> {
  origin: string;
  port: number;
  /** Creates an account and a session. Returns the header that sends it. */
  authorizationOf(persona: PersonaName): Promise<{ Authorization: string }>;
  cleanup(): Promise<void>;
}

/** Serves the site with its own database. `environment`: further variables. */
export async function createDownloadFixture(
  environment: Record<string, string> = {},
): Promise<DownloadFixture> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const fixture = await createApiFixture({ APP_URL: origin, ...environment });
  const site = await startSite();
  return {
    ...fixture,
    origin,
    port,
    authorizationOf: async (persona) => ({ Authorization: `Bearer ${await fixture.tokenOf(persona)}` }),
    async cleanup() {
      await site.close();
      await fixture.cleanup();
    },
  };
}
