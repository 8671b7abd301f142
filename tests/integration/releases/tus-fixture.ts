import { existsSync, readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { listReleases } from '#shared/releases/list-releases';
import type { Platform } from '#shared/releases/release';
import { serverContext } from '~/http/server/context.server';
import { freePort } from '../../free-port';
import { createApiFixture } from '../api/api-fixture';
import { startSite } from '../running-site';

const TUS = { 'Tus-Resumable': '1.0.0' };

/** An upload that a test began. */
export interface BegunUpload {
  response: Response;
  url: string;
  id: string;
  version: string;
}

/** The metadata header of these fields. */
export function metadataOf(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The folder in which resumable uploads arrive. */
export const stagingFolder = (): string => serverContext().releaseStorage.stagingFolder;

/** What is left of uploads that have not ended. */
export async function leftovers(): Promise<{ files: string[]; rows: number; uploads: number }> {
  const { db } = serverContext();
  const rows = await db.selectFrom('release_uploads').select('id').execute();
  const uploads = await db.selectFrom('uploads').select('id').where('status', '!=', 'attached').execute();
  return {
    files: existsSync(stagingFolder()) ? readdirSync(stagingFolder()) : [],
    rows: rows.length,
    uploads: uploads.length,
  };
}
export const NOTHING = { files: [], rows: 0, uploads: 0 };

/** The SHA-256 of the stored file of a version. */
export async function storedSha256(
  version: string,
  platform: Platform = 'windows',
): Promise<string | undefined> {
  const releases = await listReleases(serverContext().db, { publishedOnly: false });
  return releases.find((release) => release.version === version)?.files[platform]?.sha256;
}

/** What a refusal says, with its status. */
export async function refusalOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('Tus-Resumable')).toBe('1.0.0');
  return { status: response.status, ...((await response.json()) as object) };
}

/** The calls of resumable uploads over HTTP, by an admin. */
export interface TusFixture {
  /** The address of the calls. */
  endpoint: string;
  port: number;
  admin: Account;
  authorization: { Authorization: string };
  freshVersion(): string;
  /** Begins an upload of a Windows program of 4,096 bytes. `fields` and `headers` replace single values. */
  begin(options?: {
    version?: string;
    size?: number;
    fields?: Record<string, string>;
    headers?: Record<string, string>;
  }): Promise<BegunUpload>;
  patch(
    url: string,
    offset: number,
    body: Uint8Array | ReadableStream<Uint8Array>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  head(url: string, headers?: Record<string, string>): Promise<Response>;
  cancel(url: string): Promise<Response>;
  cleanup(): Promise<void>;
}

/** Serves the site with its own database. */
export async function createTusFixture(): Promise<TusFixture> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const endpoint = `${origin}/api/downloads/uploads`;
  const fixture = await createApiFixture({ APP_URL: origin });
  const site = await startSite();
  const admin = await fixture.account('admin');
  const authorization = { Authorization: `Bearer ${await fixture.signIn(admin)}` };
  let versions = 0;
  const freshVersion = (): string => `3.0.${++versions}`;
  return {
    endpoint,
    port,
    admin,
    authorization,
    freshVersion,
    async begin({ version = freshVersion(), size = 4_096, fields, headers } = {}) {
      const metadata = { filename: 'Packwatch Setup.exe', version, platform: 'windows', ...fields };
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          ...authorization,
          ...TUS,
          'Upload-Length': String(size),
          'Upload-Metadata': metadataOf(metadata),
          ...headers,
        },
      });
      const location = response.headers.get('Location') ?? '';
      return { response, url: origin + location, id: location.split('/').at(-1) ?? '', version };
    },
    patch: (url, offset, body, headers) =>
      fetch(url, {
        method: 'PATCH',
        headers: {
          ...authorization,
          ...TUS,
          'Content-Type': 'application/offset+octet-stream',
          'Upload-Offset': String(offset),
          ...headers,
        },
        body: body instanceof Uint8Array ? new Uint8Array(body) : body,
        duplex: 'half',
      } as RequestInit),
    head: (url, headers) => fetch(url, { method: 'HEAD', headers: { ...authorization, ...TUS, ...headers } }),
    cancel: (url) => fetch(url, { method: 'DELETE', headers: { ...authorization, ...TUS } }),
    async cleanup() {
      await site.close();
      await fixture.cleanup();
    },
  };
}
