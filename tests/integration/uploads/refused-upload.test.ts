import { createReadableStreamFromReadable } from '@remix-run/node';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadsFolder } from '#shared/storage/disk-storage.server';
import { drainBody } from '~/http/pipeline/connection-limits.server';
import { serverContext } from '~/http/server/context.server';
import { runInRequest } from '~/http/server/request-context.server';
import { handleRequest, createApiFixture, freshAddress, SITE, type ApiFixture } from '../api/api-fixture';
import { createImage, storedFiles, writeArticle } from './media-fixture';

const MEGABYTE = 1024 * 1024;
const BOUNDARY = 'a-line-between-parts';

let fixture: ApiFixture;
let token: string;
let server: Server;

/** Passes a request to the API as remix-serve does, with the body as a stream. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.once('finish', () => drainBody(request));
  const init = {
    method: 'POST',
    headers: new Headers(request.headers as Record<string, string>),
    body: createReadableStreamFromReadable(request),
    duplex: 'half' as const,
  };
  const sent = new Request(SITE + request.url, init);
  const result = await runInRequest({ method: 'POST', clientAddress: freshAddress() }, () =>
    handleRequest(sent),
  );
  const bytes = Buffer.from(await result.arrayBuffer());
  response.writeHead(result.status, { 'Content-Length': bytes.byteLength }).end(bytes);
}

beforeAll(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await fixture.cleanup();
});

function part(disposition: string, content: Uint8Array | string): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]);
}

/** Sends a form twice over one connection, each time completely before it reads, as browsers do. */
async function sendFirst(form: Buffer, connection: 'keep-alive' | 'close'): Promise<string[]> {
  const article = await writeArticle(fixture.db);
  const head = [
    `POST /api/news/admin/articles/${article}/media HTTP/1.1`,
    'Host: packwatch.test',
    `Authorization: Bearer ${token}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${form.byteLength}`,
    `Connection: ${connection}`,
  ];
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const answers: string[] = [];
  for (let round = 0; round < (connection === 'close' ? 1 : 2); round += 1) {
    socket.pause();
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(form, (error) => (error == null ? resolve() : reject(error)));
    });
    const arrived = once(socket, 'data') as Promise<[Buffer]>;
    socket.resume();
    answers.push((await arrived)[0].toString());
  }
  socket.destroy();
  return answers;
}

describe.each(['keep-alive', 'close'] as const)(
  'a refusal in the middle of an upload is answered (Connection: %s)',
  (connection) => {
    const video = part('name="file"; filename="a.mp4"', Buffer.alloc(16 * MEGABYTE));
    const end = Buffer.from(`--${BOUNDARY}--\r\n`);

    test.each([
      ['a caption that is too long', 413, [part('name="caption"', 'x'.repeat(70_000))]],
      ['too many fields', 413, Array.from({ length: 150 }, (_, n) => part(`name="field${n}"`, 'x'))],
      ['a file of another kind', 422, []],
    ])('%s', async (_, status, parts) => {
      const answers = await sendFirst(Buffer.concat([...parts, video, end]), connection);
      for (const text of answers) {
        expect(text).toContain(`HTTP/1.1 ${status}`);
        expect(text).toContain('"success":false');
      }
      expect(storedFiles()).toEqual([]);
    });

    test('a full disk', async () => {
      // A file at the path of the folder for new uploads: even root cannot write there.
      const staging = join(uploadsFolder(serverContext().config.dataDir), '.part');
      mkdirSync(dirname(staging), { recursive: true });
      rmSync(staging, { recursive: true, force: true });
      writeFileSync(staging, '');
      try {
        const image = Buffer.concat([await createImage(), Buffer.alloc(9 * MEGABYTE)]);
        const form = Buffer.concat([part('name="file"; filename="a.jpg"', image), video, end]);
        for (const text of await sendFirst(form, connection)) {
          expect(text).toContain('HTTP/1.1 503');
          expect(text).toContain('"code":"storage_unavailable"');
        }
      } finally {
        rmSync(staging);
      }
    });
  },
);
