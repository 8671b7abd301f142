import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#shared/ids';
import { requestExport } from '#shared/personal-data/data-exports';
import { openStorage } from '#shared/storage/open-storage.server';
import { uploadIdOf } from '#shared/storage/upload-path';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import * as dataFile from '~/routes/account/data-file';
import * as healthz from '~/routes/healthz';
import { eventually } from '../../eventually';
import { drawAvatar } from '../../../sandbox/discord/draw-avatar';
import { freePort } from '../../free-port';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createImage, fileForm, storedFiles, videoFile, writeArticle } from '../uploads/media-fixture';
import { startSite, type RunningSite } from '../running-site';
import { makeDueExports, mailedLink } from '../personal-data/export-fixture';
import { readZip } from '../personal-data/read-zip';
import { uploadRelease } from '../releases/uploaded-release';
import { startS3Server, type S3Server } from './s3-server';

let s3: S3Server;
let fixture: ApiFixture;
let site: RunningSite;
let origin: string;
let token: string;
const cdn = createServer((_request, response) => void response.end(drawAvatar('a'.repeat(32), 128)));

beforeAll(async () => {
  s3 = await startS3Server();
  cdn.listen(0, '127.0.0.1');
  await once(cdn, 'listening');
  origin = `http://127.0.0.1:${await freePort()}`;
  fixture = await createApiFixture({
    APP_URL: origin,
    DISCORD_CDN_URL: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`,
    S3_URL: s3.config.url,
    S3_REGION: s3.config.region,
    S3_BUCKET: s3.config.bucket,
    S3_ACCESS_KEY_ID: s3.config.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.config.secretAccessKey,
  });
  site = await startSite({ '/healthz': healthz, '/account/data/file': dataFile });
  token = await fixture.tokenOf('admin');
});
afterAll(async () => {
  await site.close();
  await fixture.cleanup();
  await s3.close();
  cdn.close();
  cdn.closeAllConnections();
});
afterEach(() => {
  vi.restoreAllMocks();
  s3.fault = () => null;
});

interface Answer {
  status: number;
  body: { code?: string; message: string; data: unknown };
}

async function call(method: string, path: string, form?: FormData): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    body: form ?? null,
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function upload(form: FormData): Promise<{ id: string; filePath: string }> {
  const { status, body } = await call(
    'POST',
    `/api/news/admin/articles/${await writeArticle(fixture.db)}/media`,
    form,
  );
  expect(status).toBe(201);
  return (body.data as { media: { id: string; filePath: string } }).media;
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(origin + path, { method, headers });
}

test('an image of an article is stored in the bucket, served at its address, and removed with its record', async () => {
  const { id, filePath } = await upload(fileForm('file', await createImage({ width: 1_000 })));
  expect(storedFiles()).toEqual([]);
  const response = await get(filePath);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[^"]+"$/),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 1_000 });

  const sharePath = filePath.replace('1000.webp', 'share.jpeg');
  expect((await get(sharePath)).headers.get('Content-Type')).toBe('image/jpeg');

  expect((await call('DELETE', `/api/news/admin/media/${id}`)).status).toBe(200);
  expect((await get(filePath)).status).toBe(404);
  expect((await get(sharePath)).status).toBe(404);
  expect(await serverContext().storage.list()).not.toContain(uploadIdOf(filePath));
});

test('the smallest width of an image that an earlier release stored is answered with the next', async () => {
  const { id, filePath } = await upload(fileForm('file', await createImage({ width: 1_000 })));
  const { storage } = serverContext();
  const uploadId = newId();
  for (const width of [480, 1_000]) {
    const bytes = await (await get(filePath.replace('1000', String(width)))).arrayBuffer();
    await storage.put(uploadId, `${width}.webp`, new Uint8Array(bytes));
  }
  const widthOf = async (path: string) => {
    const response = await get(path);
    return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width;
  };
  expect(await widthOf(filePath.replace('1000', '240'))).toBe(240);
  expect(await widthOf(`/uploads/${uploadId}/240.webp`)).toBe(480);
  expect((await get(`/uploads/${uploadId}/960.webp`)).status).toBe(404);
  expect((await get(`/uploads/${newId()}/240.webp`)).status).toBe(404);
  await storage.remove(uploadId);
  expect((await call('DELETE', `/api/news/admin/media/${id}`)).status).toBe(200);
});

test('a video is served in ranges, to conditions, and its head alone', async () => {
  const video = await videoFile();
  const { filePath } = await upload(fileForm('file', video, { name: 'a.mp4', type: 'video/mp4' }));
  const etag = (await get(filePath, {}, 'HEAD')).headers.get('ETag') ?? '';
  const part = await get(filePath, { Range: 'bytes=10-19' });
  expect([part.status, part.headers.get('Content-Range'), part.headers.get('Content-Length')]).toEqual([
    206,
    `bytes 10-19/${video.byteLength}`,
    '10',
  ]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(video.subarray(10, 20));

  const head = await get(filePath, {}, 'HEAD');
  expect([head.status, head.headers.get('Content-Length'), head.headers.get('Content-Type')]).toEqual([
    200,
    String(video.byteLength),
    'video/mp4',
  ]);
  const outside = await get(filePath, { Range: `bytes=${video.byteLength}-` });
  expect([outside.status, outside.headers.get('Content-Range')]).toEqual([
    416,
    `bytes */${video.byteLength}`,
  ]);
  expect((await get(filePath, { 'If-None-Match': etag })).status).toBe(304);
  expect((await get(filePath, { 'If-Match': '"other"' })).status).toBe(412);
  expect((await get(filePath, { 'If-Range': '"other"', Range: 'bytes=1-2' })).status).toBe(200);
  expect((await get(filePath.replace(/\w{8}-/, '00000000-'))).status).toBe(404);
  expect((await get(filePath.replace('.mp4', '.html'))).status).toBe(404);
});

test('a client that leaves a video ends its transfer from the bucket, which is no fault', async () => {
  const { storage, log } = serverContext();
  const id = newId();
  await storage.put(id, 'video.mp4', Buffer.alloc(30 * 1024 ** 2));
  const open = vi.spyOn(storage, 'open');
  const warn = vi.spyOn(log, 'warn');
  const reader = (await get(`/uploads/${id}/video.mp4`)).body?.getReader();
  await reader?.read();
  const opened = await open.mock.results[0]?.value;
  expect(opened?.stream.destroyed).toBe(false);
  await reader?.cancel();
  await eventually(() => expect(opened?.stream.destroyed).toBe(true));
  await storage.remove(id);
  expect(warn).not.toHaveBeenCalled();
});

test('a tracking image and an avatar are stored in the bucket and served', async () => {
  const { body } = await call(
    'POST',
    '/api/settings/tracking-sets/upload',
    fileForm('image', await createImage({ width: 300 })),
  );
  const account = await fixture.account('member', {
    discord_id: '150000000000000042',
    discord_avatar: 'a'.repeat(32),
  });
  const { discordImages, db } = serverContext();
  discordImages.refresh(account);
  await discordImages.settled();
  const row = await db.selectFrom('users').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow();
  const paths = JSON.stringify([body, row]).match(/\/uploads\/[\w-]+\/\w+\.webp/g) ?? [];
  expect(paths.length).toBeGreaterThanOrEqual(2);
  for (const path of paths) expect((await get(path)).headers.get('Content-Type')).toBe('image/webp');
  expect(storedFiles()).toEqual([]);
});

test('a release goes to the bucket in parts; its rest is refused to a client that began with another, and it is removed', async () => {
  const upload = (version: string) =>
    uploadRelease(token, { version, platform: 'windows', bytes: 6_000_000 });
  const member = { Authorization: `Bearer ${await fixture.tokenOf('beta')}` };
  const path = '/api/downloads/windows';
  const old = await upload('1.0.0');
  const begun = await get(path, member);
  expect(new URL(begun.url).origin).toBe(s3.config.url);
  expect(Buffer.from(await begun.arrayBuffer()).equals(old)).toBe(true);
  await upload('1.1.0');
  // S3's own ETag. s3rver ignores If-Range.
  const conditions = { Range: 'bytes=5000000-', 'If-Range': begun.headers.get('ETag') ?? '' };
  const refused = await get(path, { ...member, ...conditions });
  expect([refused.status, new URL(refused.url).origin]).toEqual([412, origin]);

  const { db, releaseStorage } = serverContext();
  const releases = await db.selectFrom('releases').select('id').execute();
  expect(await releaseStorage.list()).toHaveLength(releases.length);
  for (const { id } of releases)
    expect((await call('DELETE', `/api/downloads/release/${id}`)).status).toBe(200);
  expect((await fetch(begun.url)).status).toBe(404);
  expect(await releaseStorage.list()).toEqual([]);
  expect(storedFiles(releaseStorage.stagingFolder)).toEqual([]);
});

test('an archive of personal data that another machine made comes from us, once, and not as a link to the bucket', async () => {
  const { db, clock, config, releaseStorage } = serverContext();
  const account = await fixture.account('member');
  const cookie = `${PLAIN_SESSION_COOKIE}=${await fixture.signIn(account)}`;
  const machine = openStorage(
    { ...config, dataDir: mkdtempSync(join(tmpdir(), 'packwatch-b-')) },
    'releases',
  );
  const makeArchive = async () => {
    await requestExport(
      { db, clock, queues: null },
      { accountId: account.id, actor: { userId: account.id } },
    );
    await makeDueExports({ storage: machine, owner: 'another machine' });
    expect(storedFiles(machine.stagingFolder)).toEqual([]);
    const link = (await mailedLink(account.email)).replace('/account/data', '/account/data/file');
    const [id = ''] = await releaseStorage.list();
    const download = () =>
      fetch(origin + link, {
        method: 'POST',
        headers: { Cookie: cookie, Origin: origin },
        redirect: 'manual',
      });
    return { id, download };
  };
  const { id, download } = await makeArchive();
  s3.fault = ({ method }) => (method === 'GET' ? 'cut-body' : null);
  await expect(download().then((response) => response.arrayBuffer())).rejects.toThrow();
  s3.fault = () => null;
  await s3.stop();
  expect((await download()).status).toBe(503);
  await s3.start();
  const response = await download();
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store, no-transform']);
  expect(readZip(Buffer.from(await response.arrayBuffer())).get('json/profile.json')).toContain(
    account.email,
  );
  await eventually(async () => expect(await releaseStorage.list()).not.toContain(id));
  expect((await download()).status).toBe(303);

  const lost = await makeArchive();
  await releaseStorage.remove(lost.id);
  expect((await lost.download()).headers.get('Location')).toMatch(/^\/account\/data\?token=/);
  const [last] = await db
    .selectFrom('data_exports')
    .select('upload_id')
    .orderBy('created_at', 'desc')
    .execute();
  expect(last).toEqual({ upload_id: null });
});

test('a broken connection to S3 breaks the response off; S3 that is away is a 503 that no cache keeps', async () => {
  const { filePath } = await upload(fileForm('file', await createImage({ width: 1_600, height: 1_600 })));
  s3.fault = ({ method }) => (method === 'GET' ? 'cut-body' : null);
  await expect(get(filePath).then((response) => response.arrayBuffer())).rejects.toThrow();

  s3.fault = () => null;
  await s3.stop();
  const response = await get(filePath);
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([503, 'no-store']);
  const refused = await call(
    'POST',
    `/api/news/admin/articles/${await writeArticle(fixture.db)}/media`,
    fileForm('file', await createImage()),
  );
  expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  const health = await get('/healthz');
  expect([health.status, await health.json()]).toMatchObject([
    200,
    { status: 'degraded', storage: { ok: false } },
  ]);
  await s3.start();
  expect((await get(filePath)).status).toBe(200);
  expect(storedFiles()).toEqual([]);
});
