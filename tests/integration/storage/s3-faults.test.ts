import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import type { S3Config } from '#shared/config.server';
import { newId } from '#shared/ids';
import { openStorage } from '#shared/storage/open-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import { refusalOf } from '../accounts/accounts-fixture';
import { startS3Server, type S3Call, type S3Server } from './s3-server';

/** Two parts. */
const CONTENT = randomBytes(6 * 1024 ** 2);

let s3: S3Server;
let dataDir: string;
let storage: FileStorage;
let id: string;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'packwatch-s3-faults-'));
  storage = open();
  id = newId();
});
afterEach(async () => {
  s3.fault = () => null;
  await open().remove(id);
  rmSync(dataDir, { recursive: true, force: true });
});

function open(changes: Partial<S3Config> = {}): FileStorage {
  return openStorage({ dataDir, s3: { ...s3.config, ...changes } }, 'releases');
}

async function put(): Promise<void> {
  const received = await storage.receive(Readable.from([CONTENT]), {
    accepted: { '*/*': CONTENT.byteLength },
    signal: new AbortController().signal,
  });
  if (received.kind !== 'received') throw new Error(`the file is refused: ${received.kind}`);
  await storage.put(id, 'app.exe', { path: received.path });
}

async function expectStored(): Promise<void> {
  const opened = await storage.open(id, 'app.exe');
  expect((await buffer(opened?.stream ?? Readable.from([]))).equals(CONTENT)).toBe(true);
}

const isSecondPart = ({ method, query }: S3Call): boolean =>
  method === 'PUT' && query.get('partNumber') === '2';

test.each(['cut', 'slow-down'] as const)('a part that fails once is sent again: %s', async (fault) => {
  let left = 1;
  s3.fault = (call) => (isSecondPart(call) && left-- > 0 ? fault : null);
  await put();
  await expectStored();
});

test.each(['cut', 'slow-down'] as const)('a part that never arrives leaves nothing: %s', async (fault) => {
  s3.fault = (call) => (isSecondPart(call) ? fault : null);
  expect(await refusalOf(put())).toMatchObject({ kind: 'Unavailable', code: 'storage_unavailable' });
  s3.fault = () => null;
  expect(s3.openUploads()).toEqual([]);
  expect(await storage.size(id, 'app.exe')).toBeNull();
  expect(await storage.list()).toEqual([]);
});

test('a file is there only when S3 has put its parts together', async () => {
  s3.fault = ({ method, query }) => (method === 'POST' && query.has('uploadId') ? 'slow-down' : null);
  expect(await refusalOf(put())).toMatchObject({ code: 'storage_unavailable' });
  expect(s3.openUploads()).toEqual([]);
  expect(await storage.open(id, 'app.exe')).toBeNull();
});

test('parts that could not be removed, as after a crash, are removed by the sweep, and a running upload is not', async () => {
  s3.fault = (call) => (isSecondPart(call) || call.method === 'DELETE' ? 'cut' : null);
  await refusalOf(put());
  s3.fault = () => null;
  expect(s3.openUploads()).toHaveLength(1);
  expect(await storage.discardBefore(Date.now() - MINUTE)).toBe(0);
  expect(s3.openUploads()).toHaveLength(1);
  // The staged file and the parts.
  expect(await storage.discardBefore(Date.now() + MINUTE)).toBe(2);
  expect(s3.openUploads()).toEqual([]);
});

test('a response that breaks off is an error of the stream, not the end of the file', async () => {
  await put();
  s3.fault = ({ method }) => (method === 'GET' ? 'cut-body' : null);
  const opened = await storage.open(id, 'app.exe');
  await expect(buffer(opened?.stream ?? Readable.from([]))).rejects.toThrow('aborted');
});

test.each<[string, Partial<S3Config>, RegExp]>([
  ['a wrong secret', { secretAccessKey: 'wrong' }, /refuses the access key .*: SignatureDoesNotMatch\.$/],
  ['an unknown key', { accessKeyId: 'UNKNOWNKEYID' }, /refuses the access key .*: InvalidAccessKeyId\.$/],
  ['a missing bucket', { bucket: 'elsewhere' }, /^The bucket elsewhere \(S3_BUCKET\) does not exist\.$/],
  [
    'another address',
    { url: 'http://127.0.0.1:1' },
    /^S3 at 127\.0\.0\.1:1 does not answer: ECONNREFUSED\.$/,
  ],
])('%s is a fault with a sentence, and never a missing file', async (_, changes, sentence) => {
  await put();
  storage = open(changes);
  expect(await storage.findFault()).toMatch(sentence);
  for (const work of [
    () => put(),
    () => storage.open(id, 'app.exe'),
    () => storage.size(id, 'app.exe'),
    () => storage.remove(id),
    () => storage.list(),
  ]) {
    const refusal = await refusalOf(work());
    expect(refusal).toMatchObject({ kind: 'Unavailable', code: 'storage_unavailable' });
    // The log prints the cause.
    expect(inspect(refusal, { depth: 10, showHidden: true })).not.toMatch(/Signature=|secret|authorization/i);
  }
  storage = open();
  await expectStored();
});

test('S3 that hangs is a fault within two seconds, and S3 that is back is none', async () => {
  s3.fault = () => 'hang';
  const start = performance.now();
  expect(await storage.findFault()).toMatch(/does not answer/);
  // A call that is no probe has 15 seconds.
  expect(performance.now() - start).toBeLessThan(12 * SECOND);
  s3.fault = () => null;
  await s3.stop();
  expect(await storage.findFault()).toMatch(/ECONNREFUSED/);
  await s3.start();
  expect(await storage.findFault()).toBeNull();
});

test('a link gives the file under its name and type until it expires, and nothing else', async () => {
  await put();
  const link = await storage.link(id, 'app.exe', {
    downloadName: 'packwatch-windows.exe',
    mediaType: 'application/vnd.microsoft.portable-executable',
    seconds: 60,
  });
  const response = await fetch(link ?? '', { headers: { Range: 'bytes=5-9' } });
  expect(response.status).toBe(206);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-disposition': 'attachment; filename="packwatch-windows.exe"',
    'content-type': 'application/vnd.microsoft.portable-executable',
    'cache-control': 'private, no-cache, no-transform',
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(CONTENT.subarray(5, 10));
  for (const [from, to] of [
    ['X-Amz-Expires=60', 'X-Amz-Expires=6000'],
    ['app.exe', 'other.exe'],
    ['packwatch-windows', 'other'],
  ] as const)
    expect((await fetch((link ?? '').replace(from, to))).status).toBe(403);
});
