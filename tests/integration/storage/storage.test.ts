import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '#shared/clock';
import { newId } from '#shared/ids';
import { openStorage } from '#shared/storage/open-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import { refusalOf } from '../accounts/accounts-fixture';
import { startS3Server, type S3Server } from './s3-server';

const MEGABYTE = 1024 ** 2;
const CONTENT = Buffer.from('the content of a file');
/** Three parts: 5 MB, 5 MB and the rest. */
const LARGE = randomBytes(11 * MEGABYTE);

let s3: S3Server;
let dataDir: string;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'packwatch-storage-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

async function receive(storage: FileStorage, content: Buffer): Promise<string> {
  const received = await storage.receive(Readable.from([content]), {
    accepted: { '*/*': 2 * LARGE.byteLength },
    signal: new AbortController().signal,
  });
  if (received.kind !== 'received') throw new Error(`the file is refused: ${received.kind}`);
  return received.path;
}

async function read(storage: FileStorage, ...file: Parameters<FileStorage['open']>): Promise<Buffer | null> {
  const opened = await storage.open(...file);
  return opened === null ? null : buffer(opened.stream);
}

function staged(storage: FileStorage): string[] {
  return existsSync(storage.stagingFolder) ? readdirSync(storage.stagingFolder) : [];
}

describe.each(['disk', 'S3'] as const)('on %s', (kind) => {
  let storage: FileStorage;
  let releases: FileStorage;
  beforeEach(() => {
    const config = { dataDir, s3: kind === 'S3' ? s3.config : null };
    storage = openStorage(config, 'uploads');
    releases = openStorage(config, 'releases');
  });

  test('bytes and received files are stored, read whole and in ranges, measured and removed', async () => {
    const id = newId();
    await storage.put(id, '480.webp', CONTENT);
    await storage.put(id, 'packwatch-windows.exe', { path: await receive(storage, LARGE) });
    expect(staged(storage)).toEqual([]);
    expect(await read(storage, id, '480.webp')).toEqual(CONTENT);
    expect(await storage.size(id, 'packwatch-windows.exe')).toBe(LARGE.byteLength);
    expect((await read(storage, id, 'packwatch-windows.exe'))?.equals(LARGE)).toBe(true);
    const range = { start: 5 * MEGABYTE - 3, end: 5 * MEGABYTE + 3 };
    const opened = await storage.open(id, 'packwatch-windows.exe', range);
    expect(opened?.size).toBe(LARGE.byteLength);
    expect(await buffer(opened?.stream ?? Readable.from([]))).toEqual(
      LARGE.subarray(range.start, range.end + 1),
    );

    await storage.remove(id);
    await storage.remove(id);
    expect(await storage.size(id, '480.webp')).toBeNull();
    expect(await storage.open(id, 'packwatch-windows.exe')).toBeNull();
  });

  test('a file is replaced at once, and only by one of the same upload', async () => {
    const [id, other] = [newId(), newId()];
    await storage.put(id, '480.webp', CONTENT);
    await storage.put(other, '480.webp', Buffer.from('another'));
    await storage.put(id, '480.webp', Buffer.from('new'));
    expect(String(await read(storage, id, '480.webp'))).toBe('new');
    await storage.remove(id);
    expect(String(await read(storage, other, '480.webp'))).toBe('another');
    await storage.remove(other);

    const path = await receive(storage, CONTENT);
    await storage.put(id, 'app.exe', Buffer.from('old'));
    for (let time = 0; time < 2; time += 1) await storage.put(id, 'app.exe', { path, keep: true });
    expect(await read(storage, id, 'app.exe')).toEqual(CONTENT);
    await storage.remove(id);
    expect(staged(storage)).toHaveLength(1);
    await storage.discard(path);
  });

  test('an open file is read to its end after it was removed', async () => {
    const id = newId();
    await storage.put(id, 'app.exe', { path: await receive(storage, LARGE) });
    const opened = await storage.open(id, 'app.exe');
    await storage.remove(id);
    expect((await buffer(opened?.stream ?? Readable.from([]))).equals(LARGE)).toBe(true);
  });

  test('the areas are apart: uploads are listed per area, releases beside them', async () => {
    const ids = [newId(), newId(), newId()] as const;
    await storage.put(ids[0], '480.webp', CONTENT);
    await storage.put(ids[0], '960.webp', CONTENT);
    await storage.put(ids[1], '480.webp', CONTENT);
    await releases.put(ids[2], 'app.exe', CONTENT);
    await receive(storage, CONTENT);
    expect((await storage.list()).sort()).toEqual([ids[0], ids[1]].sort());
    expect(await releases.list()).toEqual([ids[2]]);
    expect(await storage.open(ids[2], 'app.exe')).toBeNull();
    for (const id of ids.slice(0, 2)) await storage.remove(id);
    await releases.remove(ids[2]);
    expect(await storage.list()).toEqual([]);
  });

  test('received files that are left are discarded by their age', async () => {
    const old = await receive(storage, CONTENT);
    const fresh = await receive(storage, CONTENT);
    const before = Date.now() - MINUTE;
    await utimes(old, before / 1_000 - 1, before / 1_000 - 1);
    expect(await storage.discardBefore(before)).toBe(1);
    expect(staged(storage)).toEqual([fresh.slice(storage.stagingFolder.length + 1)]);
  });

  test('digests are taken while a file arrives, and the disk’s free space is known', async () => {
    const received = await storage.receive(Readable.from([LARGE]), {
      accepted: { '*/*': LARGE.byteLength },
      digests: true,
      signal: new AbortController().signal,
    });
    expect(received).toMatchObject({
      type: 'application/octet-stream',
      digests: {
        sha256: createHash('sha256').update(LARGE).digest('hex'),
        sha512: createHash('sha512').update(LARGE).digest('base64'),
      },
    });
    expect(await storage.freeBytes()).toBeGreaterThan(0);
    expect(await storage.findFault()).toBeNull();
  });

  test.each([
    ['../../etc', 'passwd.txt'],
    [newId(), '../secret.txt'],
    [newId(), 'a/b.txt'],
    [newId(), '.part'],
    [newId().toUpperCase(), 'a.txt'],
  ])('refuses to touch %s %s', async (id, name) => {
    await expect(Promise.resolve().then(() => storage.put(id, name, CONTENT))).rejects.toThrow(/^not a/);
    await expect(Promise.resolve().then(() => storage.open(id, name))).rejects.toThrow(/^not a/);
    await expect(Promise.resolve().then(() => storage.size(id, name))).rejects.toThrow(/^not a/);
  });

  test('a folder that cannot be written is a fault with a sentence', async () => {
    rmSync(dataDir, { recursive: true, force: true });
    writeFileSync(dataDir, '');
    expect(await storage.findFault()).toMatch(/^The folder .* cannot be written: ENOTDIR\.$/);
    expect(await refusalOf(receive(storage, CONTENT))).toMatchObject({ code: 'storage_unavailable' });
  });
});
