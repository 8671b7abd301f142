import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { cancelReleaseUpload } from '#shared/releases/resumable-upload.server';
import { lockUpload } from '#shared/releases/upload-lock';
import { serverContext } from '~/http/server/context.server';
import { eventually } from '../../eventually';
import { startCuttingProxy, type CuttingProxy, type Cut } from '../../cutting-proxy';
import { windowsProgram } from '../../fixtures/releases/programs';
import {
  createTusFixture,
  leftovers,
  NOTHING,
  refusalOf,
  sha256Of,
  stagingFolder,
  storedSha256,
  type TusFixture,
} from './tus-fixture';
import { refuseWrites } from '../database-faults';

const MEGABYTE = 1024 ** 2;

let tus: TusFixture;
const proxies: CuttingProxy[] = [];
beforeAll(async () => {
  tus = await createTusFixture();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const proxy of proxies.splice(0)) await proxy.close();
});
afterAll(() => tus.cleanup());

async function proxyWith(cuts: readonly Cut[]): Promise<CuttingProxy> {
  const proxy = await startCuttingProxy(tus.port, cuts);
  proxies.push(proxy);
  return proxy;
}

/** An address, through a proxy. */
function through(proxy: CuttingProxy, url: string): string {
  return proxy.url + new URL(url).pathname;
}

/** Uploads with tus-js-client. Resolves with the number of PATCH requests. */
function uploadWithClient(
  file: Buffer,
  { endpoint, version }: { endpoint: string; version: string },
): Promise<number> {
  let patches = 0;
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint,
      headers: tus.authorization,
      metadata: { filename: 'Packwatch Setup.exe', version, platform: 'windows', published: 'false' },
      retryDelays: [0, 50, 100, 200],
      onBeforeRequest(request) {
        if (request.getMethod() === 'PATCH') patches += 1;
      },
      onSuccess: () => resolve(patches),
      onError: reject,
    });
    upload.start();
  });
}

describe('a bad line', () => {
  test('a client uploads a file through three cuts, and sends little of it twice', async () => {
    const file = windowsProgram({ bytes: 5 * MEGABYTE, seed: 'through cuts' });
    const proxy = await proxyWith([
      { direction: 'up', afterBytes: 700_000 },
      { direction: 'up', afterBytes: 1_900_000 },
      { direction: 'up', afterBytes: 1_300_000 },
    ]);
    const version = tus.freshVersion();
    expect(await uploadWithClient(file, { endpoint: through(proxy, tus.endpoint), version })).toBe(4);
    expect(proxy.cutsMade()).toBe(3);
    expect(await storedSha256(version)).toBe(sha256Of(file));
    expect(await leftovers()).toEqual(NOTHING);
    // A cut loses at most what Node and Remix had read but not passed on, besides the headers of some ten requests.
    expect(proxy.forwarded().up).toBeLessThan(file.byteLength + 3 * 128 * 1024 + 10_000);
    const [entry] = await serverContext()
      .db.selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'release.file_add')
      .orderBy('created_at', 'desc')
      .limit(1)
      .execute();
    expect(entry?.actor_id).toBe(tus.admin.id);
  });

  test('a client whose response to the last byte is lost learns that the file is stored', async () => {
    const file = windowsProgram({ seed: 'lost response' });
    const { url, version } = await tus.begin();
    const proxy = await proxyWith([{ direction: 'down', afterBytes: 1 }]);
    await expect(tus.patch(through(proxy, url), 0, file)).rejects.toThrow();
    await eventually(async () => {
      const state = await tus.head(url);
      expect([state.status, state.headers.get('Upload-Offset')]).toEqual([200, String(file.byteLength)]);
    });
    expect(await storedSha256(version)).toBe(sha256Of(file));
    expect(await leftovers()).toEqual(NOTHING);
  });

  test('a client resumes while the server still waits for a broken connection', async () => {
    const file = windowsProgram({ bytes: MEGABYTE, seed: 'dead line' });
    const { url, version } = await tus.begin({ size: file.byteLength });
    const proxy = await proxyWith([{ direction: 'up', afterBytes: 600_000, how: 'stall' }]);
    const stuck = tus.patch(through(proxy, url), 0, file).catch(() => undefined);
    await eventually(() => expect(proxy.cutsMade()).toBe(1));
    const offset = Number((await tus.head(url)).headers.get('Upload-Offset'));
    expect(offset).toBeGreaterThan(400_000);
    expect((await tus.patch(url, offset, file.subarray(offset))).status).toBe(204);
    expect(await storedSha256(version)).toBe(sha256Of(file));
    await proxy.close();
    proxies.length = 0;
    await stuck;
  });

  test.each(['a response to a creation that is lost', 'a process that dies between record and file'])(
    '%s does not block the admin’s next try',
    async (accident) => {
      const { version, id } = await tus.begin();
      if (accident.startsWith('a process')) rmSync(join(stagingFolder(), id));
      expect((await tus.begin({ version })).response.status).toBe(409);
      await serverContext()
        .db.updateTable('release_uploads')
        .set({ created_at: toIso(Date.now() - MINUTE) })
        .where('id', '=', id)
        .execute();
      const again = await tus.begin({ version });
      expect(again.response.status).toBe(201);
      expect(again.id).not.toBe(id);
      expect((await tus.cancel(again.url)).status).toBe(204);
      expect(await leftovers()).toEqual(NOTHING);
    },
  );
});

describe('the end of an upload', () => {
  test('a file whose process died after the last byte is stored when its client asks', async () => {
    const file = windowsProgram({ seed: 'died' });
    const { url, id, version } = await tus.begin();
    writeFileSync(join(stagingFolder(), id), file);
    const state = await tus.head(url);
    expect([state.status, state.headers.get('Upload-Offset')]).toEqual([200, '4096']);
    expect(await storedSha256(version)).toBe(sha256Of(file));
  });

  test.each(['the storage', 'the database'])(
    'a file that cannot be stored right now stays, and is stored when its client asks again: %s is away',
    async (away) => {
      const file = windowsProgram({ seed: away });
      const { db, releaseStorage } = serverContext();
      const { url, version } = await tus.begin();
      const refused = new DomainError('Unavailable', { code: 'storage_unavailable', message: 'Away.' });
      let allow = () => Promise.resolve();
      if (away === 'the storage') vi.spyOn(releaseStorage, 'put').mockRejectedValueOnce(refused);
      else allow = await refuseWrites(db, 'insert on release_files');
      expect((await refusalOf(await tus.patch(url, 0, file))).status).toBe(
        away === 'the storage' ? 503 : 500,
      );
      await allow();
      expect((await tus.head(url)).headers.get('Upload-Offset')).toBe('4096');
      expect(await storedSha256(version)).toBe(sha256Of(file));
      expect(await leftovers()).toEqual(NOTHING);
    },
  );

  test('a file of another kind is refused with a sentence and removed', async () => {
    const page = Buffer.from('<!doctype html><title>Sign in to the network</title>');
    const { url } = await tus.begin({ size: page.byteLength });
    const refusal = await refusalOf(await tus.patch(url, 0, page));
    expect(refusal).toMatchObject({ status: 422, success: false, code: 'file_type' });
    expect(refusal.message).toBe('This is an HTML page. For Windows, choose a Windows program (.exe).');
    expect((await tus.head(url)).status).toBe(404);
    expect(await leftovers()).toEqual(NOTHING);
  });

  test('an upload that received nothing for a day is gone, and blocks no other', async () => {
    const { url, id, version } = await tus.begin();
    const { db, releaseStorage, clock } = serverContext();
    await db
      .updateTable('release_uploads')
      .set({ received_at: toIso(Date.now() - DAY - MINUTE) })
      .where('id', '=', id)
      .execute();
    expect((await tus.head(url)).status).toBe(404);
    expect((await tus.patch(url, 0, windowsProgram())).status).toBe(404);
    const next = await tus.begin({ version });
    expect(next.response.status).toBe(201);
    await cancelReleaseUpload({ db, storage: releaseStorage, clock }, next.id);
    // The sweep of the staging folder removes the file of the first.
    await releaseStorage.discardBefore(Date.now() + MINUTE);
    expect(await leftovers()).toEqual(NOTHING);
  });

  test('a cancelled upload is gone, also while its bytes arrive', async () => {
    const file = windowsProgram({ bytes: MEGABYTE });
    const { url, version } = await tus.begin({ size: file.byteLength });
    const { pathname, port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const lines = {
      Host: 'x',
      ...tus.authorization,
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': '0',
      'Content-Length': file.byteLength,
    };
    const headers = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`PATCH ${pathname} HTTP/1.1\r\n${headers.join('')}\r\n`);
    socket.write(file.subarray(0, 1_000));
    await eventually(async () => {
      const locks = await serverContext().db.selectFrom('release_upload_locks').selectAll().execute();
      expect(locks).toHaveLength(1);
    });
    expect((await tus.cancel(url)).status).toBe(204);
    socket.destroy();
    expect((await tus.cancel(url)).status).toBe(404);
    expect((await tus.head(url)).status).toBe(404);
    expect(await leftovers()).toEqual(NOTHING);
    expect(await storedSha256(version)).toBeUndefined();
  });
});

test('a lock holds across processes, and one whose process has died expires', async () => {
  const { url, id } = await tus.begin();
  const { db, clock } = serverContext();
  const elsewhere = { upload_id: id, holder: 'another process', wanted: 0 as const };
  await db
    .insertInto('release_upload_locks')
    .values({ ...elsewhere, expires_at: toIso(Date.now() + MINUTE) })
    .execute();
  expect(await lockUpload(db, { uploadId: id, clock, waitMs: 0 })).toBe('held');
  const lock = await db.selectFrom('release_upload_locks').selectAll().executeTakeFirst();
  expect(lock).toMatchObject({ holder: 'another process', wanted: 1 });
  // The clock was set back by a minute: the lock lasts ten seconds from now all the same.
  expect(Date.parse(lock?.expires_at ?? '')).toBeLessThanOrEqual(Date.now() + 10 * SECOND);
  await db
    .updateTable('release_upload_locks')
    .set({ expires_at: toIso(Date.now() + 300) })
    .execute();
  expect((await tus.head(url)).status).toBe(200);
  expect((await tus.cancel(url)).status).toBe(204);
  expect(await lockUpload(db, { uploadId: id, clock })).toBe('missing');
});
