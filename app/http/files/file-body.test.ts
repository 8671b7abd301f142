import { writeReadableStreamToWritable } from '@remix-run/node';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileBody } from './file-body.server';

const BYTES = 12 * 1024 * 1024 + 5;
const CONTENT = randomBytes(BYTES);
/** The buffer size of one download, and the headers of its response. */
const HELD_BYTES = 129 * 1024;

let folder: string;
let path: string;
let server: Server;
/** The file and the response of the last request. */
let sent: { file: FileHandle; response: ServerResponse };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-body-'));
  path = join(folder, 'program');
  writeFileSync(path, CONTENT);
  server = createServer((incoming, response) => {
    void (async () => {
      const file = await open(path);
      sent = { file, response };
      const [start = 0, end = 0] = (incoming.url ?? '').slice(1).split('-').map(Number);
      response.setHeader('Content-Length', end - start + 1);
      // As Remix sends a body.
      await writeReadableStreamToWritable(fileBody(file, { start, end }, response), response);
    })().catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function download(start: number, end: number): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, path: `/${start}-${end}`, agent: false }).end();
  outgoing.on('error', () => undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

const isClosed = () => expect.poll(() => sent.file.fd).toBe(-1);

test.each([
  [0, 0],
  [0, 131_071],
  [1, 131_073],
  [BYTES - 131_073, BYTES - 1],
  [5_000_000, 5_600_000],
])('sends the bytes %i to %i and closes the file', async (start, end) => {
  const chunks = await (await download(start, end)).toArray();
  expect(Buffer.concat(chunks as Buffer[]).equals(CONTENT.subarray(start, end + 1))).toBe(true);
  await isClosed();
});

test('uses one buffer for a slow client, and overwrites no unsent bytes', async () => {
  const client = await download(0, BYTES - 1);
  let position = 0;
  let held = 0;
  for await (const chunk of client as AsyncIterable<Buffer>) {
    held = Math.max(held, sent.response.writableLength);
    expect(chunk.equals(CONTENT.subarray(position, position + chunk.byteLength))).toBe(true);
    position += chunk.byteLength;
    await new Promise(setImmediate);
  }
  expect(position).toBe(BYTES);
  expect(held).toBeLessThan(HELD_BYTES);
});

test('closes the file when the client disconnects', async () => {
  const client = await download(0, BYTES - 1);
  await expect.poll(() => sent.response.writableNeedDrain).toBe(true);
  client.destroy();
  await isClosed();
});

test('breaks the connection when the file is shorter than it was', async () => {
  const client = await download(BYTES - 10, BYTES + 10);
  await expect(client.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  await isClosed();
});

/** The parts of a response that the body looks at. `isEncoded`: a compression between them may hold the bytes. */
function fakeResponse({ closed = false, isEncoded = false } = {}): ServerResponse {
  return Object.assign(new EventEmitter(), {
    closed,
    headersSent: true,
    writableLength: 0,
    writableNeedDrain: false,
    hasHeader: () => isEncoded,
  }) as unknown as ServerResponse;
}

test('closes the file for a client that disconnected before the body is read', async () => {
  const file = await open(path);
  fileBody(file, { start: 0, end: 9 }, fakeResponse({ closed: true }));
  await expect.poll(() => file.fd).toBe(-1);
});

test.each([
  [{}, true],
  [{ isEncoded: true }, false],
])('reuses its buffer, unless a compression may still hold it: %j', async (options, again) => {
  const reader = fileBody(await open(path), { start: 0, end: BYTES - 1 }, fakeResponse(options)).getReader();
  const first = await reader.read();
  const second = await reader.read();
  expect(first.value?.buffer === second.value?.buffer).toBe(again);
  await reader.cancel();
});
