import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readDownloadCounts } from '#shared/releases/downloads';
import { serverContext } from '~/http/server/context.server';
import { windowsProgram } from '../../fixtures/releases/programs';
import {
  createDownloadFixture,
  publishFile,
  sha256Of,
  type DownloadFixture,
} from '../releases/download-fixture';
import { startS3Server, type S3Server } from './s3-server';

const PROGRAM = windowsProgram({ bytes: 50_000 });
const ETAG = `"${sha256Of(PROGRAM)}"`;

let s3: S3Server;
let fixture: DownloadFixture;
let member: { Authorization: string };
beforeAll(async () => {
  s3 = await startS3Server();
  const { url, region, bucket, accessKeyId, secretAccessKey } = s3.config;
  fixture = await createDownloadFixture({
    S3_URL: url,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  member = await fixture.authorizationOf('beta');
});
afterAll(async () => {
  await fixture.cleanup();
  await s3.close();
});
afterEach(() => vi.restoreAllMocks());

function get(
  headers: Record<string, string> = {},
  { follow = true, method = 'GET' } = {},
): Promise<Response> {
  return fetch(`${fixture.origin}/api/downloads/windows`, {
    method,
    headers: { ...member, ...headers },
    redirect: follow ? 'follow' : 'manual',
  });
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('a member is sent to the bucket, which sends the file with its name and type, in parts too', async () => {
  const { id } = await publishFile('1.0.0', 'windows', PROGRAM);
  const redirect = await get({}, { follow: false });
  expect(redirect.status).toBe(302);
  expect(redirect.headers.get('Cache-Control')).toBe('no-store');
  const link = new URL(redirect.headers.get('Location') ?? '');
  expect(link.origin).toBe(new URL(s3.config.url).origin);
  expect(Number(link.searchParams.get('X-Amz-Expires'))).toBe(300);

  // Without the member's token: the link is enough, and fetch removes the token when the origin changes.
  const file = await fetch(link);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-disposition': 'attachment; filename="packwatch-windows.exe"',
    'content-type': 'application/vnd.microsoft.portable-executable',
  });
  expect((await bytesOf(file)).equals(PROGRAM)).toBe(true);
  const part = await get({ Range: 'bytes=20000-' });
  expect([part.status, (await bytesOf(part)).equals(PROGRAM.subarray(20_000))]).toEqual([206, true]);
  expect((await readDownloadCounts(fixture.db)).get(id)).toEqual({ windows: 1 });
});

test('a client that names our ETag gets the rest from us, since the bucket has its own ETags', async () => {
  const rest = await get({ Range: 'bytes=20000-', 'If-Range': ETAG }, { follow: false });
  expect([rest.status, rest.headers.get('ETag')]).toEqual([206, ETAG]);
  expect((await bytesOf(rest)).equals(PROGRAM.subarray(20_000))).toBe(true);
});

test('HEAD and an ETag that the client has are answered without the bucket', async () => {
  const head = await get({}, { follow: false, method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Length'), head.headers.get('ETag')]).toEqual([
    200,
    '50000',
    ETAG,
  ]);
  expect((await get({ 'If-None-Match': ETAG }, { follow: false })).status).toBe(304);
});

test('other callers are not redirected to the bucket', async () => {
  for (const [persona, status] of [
    [{ Authorization: 'Bearer none' }, 401],
    [await fixture.authorizationOf('member'), 403],
  ] as const)
    expect((await get(persona, { follow: false })).status).toBe(status);
});

test('the rest of a replaced file is refused before the redirect, and a lost file is a 404', async () => {
  const { files } = await publishFile('1.0.0', 'windows', windowsProgram({ seed: 'new' }));
  const Range = 'bytes=20000-';
  const requests: Record<string, string>[] = [
    { Range },
    { Range, 'If-Range': ETAG },
    { Range, 'If-Range': '"of-the-bucket"' },
  ];
  for (const headers of requests) expect((await get(headers, { follow: false })).status).toBe(412);
  expect((await get({}, { follow: false })).status).toBe(302);
  expect((await get({ Range: 'bytes=2000-' })).status).toBe(206);

  // A file that the bucket has lost.
  const error = vi.spyOn(serverContext().log, 'error').mockReturnValue(undefined);
  await serverContext().releaseStorage.remove(files.windows?.uploadId ?? '');
  const response = await get({}, { follow: false });
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'file_missing' }]);
  expect(error).toHaveBeenCalledOnce();
});
