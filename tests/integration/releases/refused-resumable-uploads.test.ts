import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { MINUTE } from '#shared/clock';
import { newId } from '#shared/ids';
import { serverContext } from '~/http/server/context.server';
import { windowsProgram } from '../../fixtures/releases/programs';
import {
  createTusFixture,
  leftovers,
  metadataOf,
  NOTHING,
  refusalOf,
  sha256Of,
  stagingFolder,
  storedSha256,
  type TusFixture,
} from './tus-fixture';

const MEGABYTE = 1024 ** 2;

let tus: TusFixture;
beforeAll(async () => {
  tus = await createTusFixture();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => tus.cleanup());

describe('a creation is refused, and nothing is created, for', () => {
  const metadata = (text: string) => ({ headers: { 'Upload-Metadata': text } });
  const fields = (given: Record<string, string>) => ({ fields: given });
  test.each([
    ['a version that is none', fields({ version: '1.0' }), 422, 'invalid', 'version'],
    ['a version with a path', fields({ version: '../1.0.0' }), 422, 'invalid', 'version'],
    ['an unknown platform', fields({ platform: '../../etc/passwd' }), 422, 'invalid', 'platform'],
    ['no name', metadata(metadataOf({ version: '9.9.9', platform: 'linux' })), 422, 'invalid', 'filename'],
    ['another extension', fields({ filename: '../../setup.dmg' }), 422, 'file_type', 'file'],
    ['a flag that is none', fields({ is_beta: 'yes' }), 422, 'invalid', 'is_beta'],
    ['an empty file', { size: 0 }, 422, 'file_empty', 'file'],
    ['a file above 2 GB', { size: 2 * 1024 ** 3 + 1 }, 413, 'file_too_large', 'file'],
    ['a size that is none', { headers: { 'Upload-Length': '-1' } }, 400, 'invalid_header', undefined],
    ['metadata that is none', metadata('filename,,'), 400, 'invalid_header', undefined],
    ['a field twice', metadata('version MQ==,version Mg=='), 400, 'invalid_header', undefined],
    ['no metadata', metadata(''), 400, 'invalid_header', undefined],
    ['parts', { headers: { 'Upload-Concat': 'partial' } }, 400, 'invalid_header', undefined],
    ['another protocol', { headers: { 'Tus-Resumable': '0.2.2' } }, 412, 'tus_version', undefined],
  ] as const)('%s', async (_, request, status, code, field) => {
    const { response } = await tus.begin(request);
    const refusal = await refusalOf(response);
    expect(refusal).toMatchObject({ status, success: false, code, message: expect.stringMatching(/\S/) });
    if (field !== undefined) expect(Object.keys(refusal.errors as object)).toEqual([field]);
    expect(await leftovers()).toEqual(NOTHING);
  });

  test('a size that comes later', async () => {
    const response = await fetch(tus.endpoint, {
      method: 'POST',
      headers: { ...tus.authorization, 'Tus-Resumable': '1.0.0', 'Upload-Defer-Length': '1' },
    });
    expect(await refusalOf(response)).toMatchObject({ status: 400, code: 'invalid_header' });
  });

  test('a file for which the disk has no space, also beside the uploads that run', async () => {
    const free = vi.spyOn(serverContext().releaseStorage, 'freeBytes').mockResolvedValue(1_600 * MEGABYTE);
    const running = await tus.begin({ size: 1_000 * MEGABYTE });
    expect(running.response.status).toBe(201);
    const { response } = await tus.begin({ size: 100 * MEGABYTE });
    expect(await refusalOf(response)).toMatchObject({ status: 503, code: 'storage_full' });
    free.mockRestore();
    await tus.cancel(running.url);
    expect(await leftovers()).toEqual(NOTHING);
  });

  test('a folder that cannot be created', async () => {
    // A file at the path of the folder: even root cannot write there.
    rmSync(stagingFolder(), { recursive: true, force: true });
    writeFileSync(stagingFolder(), '');
    try {
      expect(await refusalOf((await tus.begin()).response)).toMatchObject({
        status: 503,
        code: 'storage_unavailable',
      });
    } finally {
      rmSync(stagingFolder());
    }
    expect(await leftovers()).toEqual(NOTHING);
  });
});

test('a second upload for the same version and platform is refused, and the first continues', async () => {
  const file = windowsProgram({ seed: 'the first' });
  const first = await tus.begin();
  expect((await tus.patch(first.url, 0, file.subarray(0, 1_000))).status).toBe(204);
  const second = await tus.begin({ version: first.version });
  expect(await refusalOf(second.response)).toMatchObject({ status: 409, code: 'upload_in_progress' });
  const other = await tus.begin({
    version: first.version,
    fields: { platform: 'linux', filename: 'a.AppImage' },
  });
  expect(other.response.status).toBe(201);
  expect((await tus.patch(first.url, 1_000, file.subarray(1_000))).status).toBe(204);
  expect(await storedSha256(first.version)).toBe(sha256Of(file));
  await tus.cancel(other.url);
});

test('a full disk ends the upload and frees the space', async () => {
  const { url, id } = await tus.begin();
  rmSync(join(stagingFolder(), id));
  symlinkSync('/dev/full', join(stagingFolder(), id));
  expect(await refusalOf(await tus.patch(url, 0, windowsProgram()))).toMatchObject({
    status: 503,
    code: 'storage_full',
  });
  expect(await leftovers()).toEqual(NOTHING);
});

test('a file whose beginning is of another kind is refused before the rest of it arrives', async () => {
  const { url } = await tus.begin({ size: 2_000 * MEGABYTE });
  const refused = await refusalOf(await tus.patch(url, 0, Buffer.from('<!doctype html>'.repeat(10_000))));
  expect(refused).toMatchObject({
    status: 422,
    code: 'file_type',
    message: expect.stringMatching(/HTML page/),
  });
  expect(await leftovers()).toEqual(NOTHING);
  expect((await tus.head(url)).status).toBe(404);
});

test('requests that do not fit are refused, and the upload continues', async () => {
  const file = windowsProgram({ seed: 'goes on' });
  const { url, version } = await tus.begin();
  expect((await tus.patch(url, 0, file.subarray(0, 2_000))).headers.get('Upload-Offset')).toBe('2000');
  const rest = file.subarray(2_000);
  const refused: [Promise<Response>, object][] = [
    [tus.patch(url, 0, file), { status: 409, code: 'offset_conflict' }],
    [tus.patch(url, 2_000, file), { status: 413, code: 'payload_too_large' }],
    [tus.patch(url, 2_000, rest, { 'Content-Type': 'text/plain' }), { status: 415 }],
    [
      tus.patch(url, 2_000, rest, { 'Content-Encoding': 'gzip' }),
      { status: 415, code: 'unsupported_content_encoding' },
    ],
    [tus.patch(url, 2_000, rest, { 'Upload-Offset': '2000.5' }), { status: 400, code: 'invalid_header' }],
    [tus.patch(url, 2_000, rest, { 'Tus-Resumable': '' }), { status: 412, code: 'tus_version' }],
    [tus.patch(url, 2_000, rest, { Authorization: '' }), { status: 401, code: 'not_authenticated' }],
    [tus.patch(`${tus.endpoint}/${newId()}`, 0, rest), { status: 404, code: 'upload_not_found' }],
    [tus.patch(`${tus.endpoint}/..%2F..%2Fpackwatch.db`, 0, rest), { status: 404 }],
    [tus.patch(`${tus.endpoint}/..%5C..%5Cpackwatch.db`, 0, rest), { status: 404 }],
  ];
  for (const [response, expected] of refused) expect(await refusalOf(await response)).toMatchObject(expected);
  // Chunked, without a length: more bytes than announced are found while they arrive.
  const chunks = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(rest));
      controller.enqueue(new Uint8Array(1_000));
      controller.close();
    },
  });
  const long = await tus.patch(url, 2_000, chunks);
  expect(await refusalOf(long)).toMatchObject({ status: 413 });
  const offset = Number((await tus.head(url)).headers.get('Upload-Offset'));
  expect(offset).toBeLessThanOrEqual(file.byteLength);
  if (offset < file.byteLength)
    expect((await tus.patch(url, offset, file.subarray(offset))).status).toBe(204);
  expect(await storedSha256(version)).toBe(sha256Of(file));
});

test('the server describes itself, and allows no other origin', async () => {
  const elsewhere = { Origin: 'https://evil.example' };
  const headers = { ...tus.authorization, ...elsewhere };
  const options = await fetch(tus.endpoint, { method: 'OPTIONS', headers });
  const begun = await tus.begin({ headers: elsewhere, fields: { is_beta: 'true' } });
  const state = await tus.head(begun.url, elsewhere);
  expect(Object.fromEntries(options.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,termination,expiration',
    'tus-max-size': String(2 * 1024 ** 3),
  });
  expect(Object.fromEntries(state.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'upload-length': '4096',
    'upload-metadata': metadataOf({
      filename: 'Packwatch Setup.exe',
      version: begun.version,
      platform: 'windows',
      is_beta: 'true',
    }),
    'cache-control': 'no-store',
  });
  const expiry = Date.parse(begun.response.headers.get('Upload-Expires') ?? '');
  expect(expiry / MINUTE).toBeCloseTo(Date.now() / MINUTE + 24 * 60, 0);
  for (const response of [options, begun.response, state])
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  await tus.cancel(begun.url);
});
