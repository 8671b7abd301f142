import { expect } from 'vitest';
import { PLATFORM_FILES, type Platform } from '#shared/releases/release';
import { programFor } from '../../fixtures/releases/programs';
import { callApi } from '../api/api-fixture';

/** Uploads a file of this size as an admin with this token, and publishes its version. Returns the file. */
export async function uploadRelease(
  token: string,
  { version, platform, bytes }: { version: string; platform: Platform; bytes: number },
): Promise<Buffer<ArrayBuffer>> {
  const program = Buffer.from(programFor(platform, { bytes, seed: version }));
  const form = new FormData();
  for (const [name, value] of Object.entries({ version, platform, release_notes: 'Faster.' }))
    form.append(name, value);
  form.append('file', new Blob([program]), `app${PLATFORM_FILES[platform].extension}`);
  expect(await callApi('POST', '/api/downloads/upload', { token, form })).toMatchObject({ status: 201 });
  return program;
}
