import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readDownloadCounts } from '#shared/releases/downloads';
import { changeRelease, deleteRelease } from '#shared/releases/save-release.server';
import type { Release } from '#shared/releases/release';
import { releasesFolder } from '#shared/storage/disk-storage.server';
import { serverContext } from '~/http/server/context.server';
import { appImage, diskImage, windowsProgram } from '../../fixtures/releases/programs';
import { createDownloadFixture, publishFile, sha256Of, type DownloadFixture } from './download-fixture';

const PROGRAM = windowsProgram({ bytes: 300_000 });
const ETAG = `"${sha256Of(PROGRAM)}"`;

let fixture: DownloadFixture;
let release: Release;
let member: { Authorization: string };
beforeAll(async () => {
  fixture = await createDownloadFixture();
  release = await publishFile('1.0.0', 'windows', PROGRAM);
  await publishFile('1.0.0', 'macos', diskImage());
});
afterAll(() => fixture.cleanup());
beforeEach(async () => {
  member = await fixture.authorizationOf('beta');
});
afterEach(() => vi.restoreAllMocks());

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(`${fixture.origin}/api/downloads/${path}`, { method, headers: { ...member, ...headers } });
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function refusalOf(response: Response): Promise<unknown> {
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  return { status: response.status, ...((await response.json()) as object) };
}

const NOT_YET = {
  status: 404,
  success: false,
  code: 'platform_not_available',
  message: 'Windows version is not available yet',
};

async function countOf({ id }: Release): Promise<unknown> {
  return (await readDownloadCounts(fixture.db)).get(id);
}

describe('the file of a platform', () => {
  test('arrives whole, with its name, type, size and digest, and is not stored by proxies', async () => {
    for (const path of ['windows', 'windows?version=1.0.0', 'windows/1.0.0/packwatch-windows.exe']) {
      const response = await get(path, { 'Accept-Encoding': 'gzip, br' });
      expect([path, response.status]).toEqual([path, 200]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache, no-transform',
        'content-disposition': 'attachment; filename="packwatch-windows.exe"',
        'content-length': '300000',
        'content-type': 'application/vnd.microsoft.portable-executable',
        etag: ETAG,
        'repr-digest': `sha-256=:${Buffer.from(sha256Of(PROGRAM), 'hex').toString('base64')}:`,
        'x-content-type-options': 'nosniff',
      });
      expect((await bytesOf(response)).equals(PROGRAM)).toBe(true);
    }
    const image = await get('macos');
    expect(image.headers.get('Content-Disposition')).toBe('attachment; filename="packwatch-macos.dmg"');
    expect(image.headers.get('Content-Type')).toBe('application/x-apple-diskimage');
    expect((await bytesOf(image)).equals(diskImage())).toBe(true);
  });

  test('is described by HEAD, which ignores a range', async () => {
    const response = await get('windows', { Range: 'bytes=5-9' }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe('300000');
    expect(response.headers.get('ETag')).toBe(ETAG);
    expect((await bytesOf(response)).byteLength).toBe(0);
  });

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=131071-131073', 131_071, 131_073],
    ['bytes=200000-', 200_000, 299_999],
    ['bytes=-1', 299_999, 299_999],
    ['bytes=-999999', 0, 299_999],
  ])('is sent in part for %s', async (range, start, end) => {
    const response = await get('windows', { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('Content-Range')).toBe(`bytes ${start}-${end}/300000`);
    expect(response.headers.get('Content-Length')).toBe(String(end - start + 1));
    expect((await bytesOf(response)).equals(PROGRAM.subarray(start, end + 1))).toBe(true);
  });

  test('is sent whole for several ranges', async () => {
    const response = await get('windows', { Range: 'bytes=0-5, 10-15' });
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(PROGRAM)).toBe(true);
  });

  test('is not sent again to a client that has it', async () => {
    const response = await get('windows', { 'If-None-Match': ETAG });
    expect([response.status, response.headers.get('ETag'), await response.text()]).toEqual([304, ETAG, '']);
  });

  test('refuses a range outside of it, and a precondition that names another file', async () => {
    const outside = await get('windows', { Range: 'bytes=300000-' });
    expect(outside.headers.get('Content-Range')).toBe('bytes */300000');
    expect(await refusalOf(outside)).toMatchObject({ status: 416, code: 'range_not_satisfiable' });
    const other = await get('windows', { 'If-Match': '"another"' });
    expect(await refusalOf(other)).toMatchObject({ status: 412, code: 'file_changed' });
  });

  test.each([
    ['linux', { ...NOT_YET, message: 'Linux version is not available yet' }],
    ['windows?version=9.9.9', NOT_YET],
    ['windows?version=..%2F..%2Fetc%2Fpasswd', NOT_YET],
    ['windows/9.9.9/packwatch-windows.exe', NOT_YET],
    ['windows/..%2F../packwatch-windows.exe', NOT_YET],
    ['windows/1.0.0/packwatch-macos.dmg', { status: 404, code: 'not_found' }],
    ['windows/1.0.0/..%2Fpackwatch-windows.exe', { status: 404, code: 'not_found' }],
    ['solaris', { status: 404, code: 'not_found' }],
    ['..%2F..%2Fetc%2Fpasswd', { status: 404, code: 'not_found' }],
    [`windows?version=${'9'.repeat(65)}`, { status: 400, code: 'invalid_query' }],
    ['windows?version=1.0.0&version=2.0.0', { status: 400, code: 'invalid_query' }],
  ])('%s: there is none', async (path, refusal) => {
    expect(await refusalOf(await get(path))).toMatchObject(refusal);
  });

  test('of a withdrawn release is not available, nor is that of a deleted one', async () => {
    const { db, clock, releaseStorage: storage } = serverContext();
    const actor = { userId: null };
    const { id } = await publishFile('2.0.0', 'windows', windowsProgram());
    expect((await get('windows')).headers.get('Content-Length')).toBe('4096');
    await changeRelease(db, { id, changes: { published: false }, actor, clock });
    expect((await get('windows')).headers.get('Content-Length')).toBe('300000');
    expect(await refusalOf(await get('windows?version=2.0.0'))).toEqual(NOT_YET);
    await deleteRelease({ db, storage, clock }, { id, actor });
    expect(await refusalOf(await get('windows?version=2.0.0'))).toEqual(NOT_YET);
  });
});

describe('a file that the disk has lost', () => {
  test.each([
    ['removed', (path: string) => rm(path)],
    ['cut short', (path: string) => truncate(path, 100)],
  ])('because it was %s is a 404 that is logged, and the lists still work', async (_how, damage) => {
    const error = vi.spyOn(serverContext().log, 'error').mockReturnValue(undefined);
    const { files } = await publishFile('0.1.0', 'windows', windowsProgram({ seed: _how }));
    const { uploadId = '', fileName = '' } = files.windows ?? {};
    await damage(join(releasesFolder(serverContext().config.dataDir), uploadId, fileName));
    expect(await refusalOf(await get('windows?version=0.1.0'))).toEqual({
      status: 404,
      success: false,
      code: 'file_missing',
      message: 'The file of the Windows version is missing on our side. Please try again later.',
    });
    expect(error).toHaveBeenCalledWith(
      { version: '0.1.0', platform: 'windows', uploadId },
      'the file of a release is missing in the storage',
    );
    expect((await get('versions')).status).toBe(200);
  });
});

describe('a download', () => {
  test('is counted once per member and version, when it sends bytes', async () => {
    const before = { windows: 0, ...((await countOf(release)) as object) };
    await get('windows', {}, 'HEAD');
    await get('windows', { 'If-None-Match': ETAG });
    await get('windows', { Range: 'bytes=300000-' });
    expect({ windows: 0, ...((await countOf(release)) as object) }).toEqual(before);
    for (const range of ['bytes=0-', 'bytes=100-', 'bytes=0-'])
      await bytesOf(await get('windows', { Range: range }));
    await bytesOf(await get('macos'));
    expect(await countOf(release)).toEqual({ ...before, windows: before.windows + 1 });
  });

  test('continues when it cannot be counted', async () => {
    const warn = vi.spyOn(serverContext().log, 'warn').mockReturnValue(undefined);
    await fixture.db.schema.alterTable('release_downloads').renameTo('hidden').execute();
    try {
      expect((await bytesOf(await get('windows'))).equals(PROGRAM)).toBe(true);
    } finally {
      await fixture.db.schema.alterTable('hidden').renameTo('release_downloads').execute();
    }
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'a download could not be recorded');
  });
});

describe('the rest of a file', () => {
  const OLD = appImage({ bytes: 10_000, seed: 'old' });
  const NEW = appImage({ bytes: 10_000, seed: 'new' });
  const Range = 'bytes=5000-';

  test('that was replaced since is refused, or replaced by the whole new file', async () => {
    await publishFile('1.1.0', 'linux', OLD);
    const first = await get('linux', { Range: 'bytes=0-4999' });
    const etag = first.headers.get('ETag') ?? '';
    expect((await bytesOf(await get('linux', { Range }))).equals(OLD.subarray(5_000))).toBe(true);
    await publishFile('1.1.0', 'linux', NEW);

    const refusal = { status: 412, code: 'file_changed' };
    expect(await refusalOf(await get('linux', { Range }))).toMatchObject(refusal);
    expect(await refusalOf(await get('linux', { Range, 'If-Match': etag }))).toMatchObject(refusal);
    const whole = await get('linux', { Range, 'If-Range': etag });
    expect(whole.status).toBe(200);
    expect((await bytesOf(whole)).equals(NEW)).toBe(true);
    // From here on the member has the beginning of the new file.
    expect((await bytesOf(await get('linux', { Range }))).equals(NEW.subarray(5_000))).toBe(true);
  });

  test('of the latest version is refused when a newer version came out, but not by the version’s own address', async () => {
    await publishFile('1.2.0', 'linux', OLD);
    await bytesOf(await get('linux'));
    await bytesOf(await get('linux?version=1.2.0'));
    await publishFile('1.3.0', 'linux', NEW);
    expect(await refusalOf(await get('linux', { Range }))).toMatchObject({ status: 412 });
    const rest = await get('linux/1.2.0/packwatch-linux.AppImage', { Range });
    expect((await bytesOf(rest)).equals(OLD.subarray(5_000))).toBe(true);
  });

  test('is checked against the beginning on the same computer', async () => {
    const account = await fixture.account('beta');
    const ranges = async (): Promise<(range: string) => Promise<Response>> => {
      const headers = { Authorization: `Bearer ${await fixture.signIn(account)}` };
      return (range) => get('linux?version=1.5.0', { ...headers, Range: range });
    };
    const [laptop, desktop] = [await ranges(), await ranges()];
    await publishFile('1.5.0', 'linux', OLD);
    await bytesOf(await laptop('bytes=0-4999'));
    await publishFile('1.5.0', 'linux', NEW);
    await bytesOf(await desktop('bytes=0-4999'));
    expect((await laptop(Range)).status).toBe(412);
    // After a new sign-in, the member's last beginning counts.
    for (const computer of [desktop, await ranges()])
      expect((await bytesOf(await computer(Range))).equals(NEW.subarray(5_000))).toBe(true);
    await bytesOf(await laptop('bytes=0-'));
    expect((await laptop(Range)).status).toBe(206);
  });

  test('is sent to a member of whom no beginning is known', async () => {
    await publishFile('1.4.0', 'linux', NEW);
    expect((await bytesOf(await get('linux', { Range }))).equals(NEW.subarray(5_000))).toBe(true);
  });
});
