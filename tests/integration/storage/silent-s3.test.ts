import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SECOND, systemClock, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { createS3Storage } from '#shared/storage/s3/s3-storage.server';
import { sweepAreas } from '#shared/storage/sweep-uploads';
import { removeDeletedUploads } from '#shared/storage/upload-records';
import { refusalOf } from '../accounts/accounts-fixture';
import { createTestDatabase, type TestDatabase } from '../database';

/** A call waits this long in these tests; in the product some 15 s. */
const LIMITS = { callMs: 250, stallMs: 250 };
/** On a busy machine, most of it for loading the SDK. Without limits the calls take minutes. */
const CALLS_TAKE_AT_MOST_MS = 20 * SECOND;

let server: Server;
/** The server's only data, sent after the first bytes of a request. */
let answer = '';
let requests = 0;
/** Only requests that name it count, because one of an earlier test may arrive late. */
let counted = 'uploads';
const sockets = new Set<Socket>();
let folder: string;
let database: TestDatabase;
let storage: ReturnType<typeof createS3Storage>;

function storageWith(limits: typeof LIMITS, folderName = 'uploads'): ReturnType<typeof createS3Storage> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createS3Storage(
    { url, region: 'eu-west-2', bucket: 'files', accessKeyId: 'key', secretAccessKey: 'secret' },
    { prefix: `${folderName}/`, stagingFolder: join(folder, 'staging'), limits },
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-silent-s3-'));
  database = await createTestDatabase();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      const head = data.toString('latin1');
      if (!/^(?:GET|PUT|POST|HEAD|DELETE) /.test(head)) return;
      if (head.includes(counted)) requests += 1;
      socket.write(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  storage = storageWith(LIMITS);
});
afterEach(() => {
  answer = '';
  requests = 0;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await database.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

const id = newId();
async function putFile(): Promise<void> {
  const path = join(folder, 'app.exe');
  writeFileSync(path, Buffer.alloc(6 * 1024 ** 2));
  await storage.put(id, 'app.exe', { path, keep: true });
}

const CALLS: [string, () => Promise<unknown>][] = [
  ['list', () => storage.list()],
  ['size', () => storage.size(id, 'app.exe')],
  ['open', async () => text((await storage.open(id, 'app.exe'))!.stream)],
  ['remove', () => storage.remove(id)],
  ['put of an image', () => storage.put(id, '480.webp', new Uint8Array(10))],
  ['put of a file', putFile],
  ['discardBefore', () => storage.discardBefore(Date.now())],
];
const HALF_A_RESPONSE =
  'HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: 1000\r\n\r\n<?xml version="1.0"?><List';

test.for([
  ['accepts and never answers', ''],
  ['stops in the middle of a header', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['stops in the middle of a body', HALF_A_RESPONSE],
] as const)('every call to an S3 that %s ends in time', async ([, bytes]) => {
  answer = bytes;
  const began = performance.now();
  await Promise.all(
    CALLS.map(async ([name, call]) => {
      // HEAD and PUT have no body to wait for.
      if (bytes === HALF_A_RESPONSE && /^(?:size|put)/.test(name)) return;
      const error = await call().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error, name).toBeInstanceOf(Error);
    }),
  );
  expect(await storage.findFault()).toMatch(/^S3 at 127\.0\.0\.1:\d+ does not answer: /);
  expect(performance.now() - began).toBeLessThan(CALLS_TAKE_AT_MOST_MS);
});

test('a reader that pauses for longer than S3 may be silent still gets the rest', async () => {
  const size = 4 * 1024 ** 2;
  answer = `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`;
  // Fake time: on a busy machine S3 itself takes longer than the short limit.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const opened = await storage.open(id, 'app.exe');
    const stream = opened!.stream;
    await once(stream, 'readable');
    stream.read(1);
    // The reader's buffer is full, so S3 sends nothing more.
    await vi.advanceTimersByTimeAsync(2 * LIMITS.stallMs);
    expect((await text(stream)).length).toBe(size - 1);
  } finally {
    vi.useRealTimers();
  }
});

/** How often the SDK sends a request that S3 asks to send again. */
const ATTEMPTS = 3;
/** S3 asks to slow down (docs.aws.amazon.com, S3 API reference, "Error responses"). */
const SLOW_DOWN =
  '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>';

test.for([
  ['does not answer', ''],
  [
    'answers with SlowDown',
    `HTTP/1.1 503 Slow Down\r\nConnection: close\r\nContent-Type: application/xml\r\nContent-Length: ${SLOW_DOWN.length}\r\n\r\n${SLOW_DOWN}`,
  ],
] as const)(
  'a sweep ends at the first call that S3 %s, and a deletion by a person as well',
  async ([, bytes]) => {
    answer = bytes;
    const isSilent = bytes === '';
    counted = isSilent ? 'swept-in-silence' : 'swept-slowly';
    const swept = storageWith(
      isSilent ? LIMITS : { callMs: CALLS_TAKE_AT_MOST_MS, stallMs: CALLS_TAKE_AT_MOST_MS },
      counted,
    );
    const calls = (['list', 'size', 'open', 'put', 'remove', 'discardBefore'] as const).map((name) =>
      vi.spyOn(swept, name),
    );
    const callsMade = () => calls.reduce((sum, call) => sum + call.mock.calls.length, 0);
    const now = toIso(Date.now());
    const ids = Array.from({ length: 20 }, () => newId());
    await database.db
      .insertInto('uploads')
      .values(
        ids.map((each) => ({
          id: each,
          kind: 'media' as const,
          status: 'deleted' as const,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute();
    const context = { db: database.db, storage: swept, clock: systemClock };
    const areas = [
      { area: 'uploads', storage: swept },
      { area: 'releases', storage: swept },
    ] as const;
    expect(await sweepAreas(areas, context)).toMatchObject({ removed: 0, stopped: true });
    await removeDeletedUploads(context, ids);
    expect(callsMade()).toBe(2);
    // On a busy machine a call may end before its request is sent.
    if (isSilent) expect(requests).toBeLessThanOrEqual(2);
    else expect(requests).toBe(2 * ATTEMPTS);
    expect(await refusalOf(swept.remove(id))).toMatchObject({ code: 'storage_unavailable' });
  },
);
