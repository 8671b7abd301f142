import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteRelease } from '#shared/releases/save-release.server';
import { serverContext } from '~/http/server/context.server';
import { startCuttingProxy } from '../../cutting-proxy';
import { windowsProgram } from '../../fixtures/releases/programs';
import { createDownloadFixture, publishFile, type DownloadFixture } from './download-fixture';

/** More than the buffers of a connection hold, so that a download that is not read is still running. */
const BYTES = 6 * 1024 * 1024;
const OLD = windowsProgram({ bytes: BYTES, seed: 'old' });
const NEW = windowsProgram({ bytes: BYTES, seed: 'new' });
const DOWNLOADS = 50;
const VERSION = '1.0.0';

let fixture: DownloadFixture;
beforeAll(async () => {
  fixture = await createDownloadFixture();
});
afterAll(() => fixture.cleanup());

/** A download that reads nothing until `rest` is called. */
interface Running {
  status: number | undefined;
  etag: string;
  response: IncomingMessage;
}

async function begin(headers: Record<string, string>, port = fixture.port): Promise<Running> {
  const path = `/api/downloads/windows?version=${VERSION}`;
  const outgoing = request({ port, path, headers, agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  outgoing.on('error', () => undefined);
  return { status: response.statusCode, etag: response.headers.etag ?? '', response };
}

/** Reads up to `limit` bytes; more bytes follow, or the connection ends. */
async function read({ response }: Running, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= limit) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
  return Buffer.concat(chunks);
}

const isOf = (file: Buffer, part: Buffer, start = 0) =>
  part.byteLength > 0 && file.subarray(start, start + part.byteLength).equals(part);

test('fifty downloads of a file that is replaced end with its bytes; interrupted ones are refused the rest', async () => {
  await publishFile(VERSION, 'windows', OLD);
  const members = await Promise.all(Array.from({ length: DOWNLOADS }, () => fixture.authorizationOf('beta')));
  const running = await Promise.all(members.map((member) => begin(member)));
  await publishFile(VERSION, 'windows', NEW);

  const outcomes = await Promise.all(
    running.map(async (download, index) => {
      const member = members[index] ?? { Authorization: '' };
      if (index % 2 === 0) return (await read(download)).equals(OLD) ? 'the old bytes' : 'damaged';
      const first = await read(download, BYTES / 2);
      if (!isOf(OLD, first)) return 'damaged';
      const Range = `bytes=${first.byteLength}-`;
      if (index % 4 === 1) {
        const rest = await begin({ ...member, Range });
        rest.response.resume();
        return `refused: ${rest.status}`;
      }
      const rest = await begin({ ...member, Range, 'If-Range': download.etag });
      return rest.status === 200 && (await read(rest)).equals(NEW) ? 'the whole new file' : 'damaged';
    }),
  );
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  expect({
    old: count('the old bytes'),
    refused: count('refused: 412'),
    whole: count('the whole new file'),
  }).toEqual({ old: 25, refused: 13, whole: 12 });
});

test('a download of a release that is deleted ends with its bytes', async () => {
  const { id } = await publishFile(VERSION, 'windows', OLD);
  const running = await begin(await fixture.authorizationOf('beta'));
  const { db, clock, releaseStorage: storage } = serverContext();
  await deleteRelease({ db, storage, clock }, { id, actor: { userId: null } });
  expect((await read(running)).equals(OLD)).toBe(true);
});

test('a download through a line that breaks three times is whole after three resumptions', async () => {
  await publishFile(VERSION, 'windows', OLD);
  const member = await fixture.authorizationOf('beta');
  const proxy = await startCuttingProxy(
    fixture.port,
    [1_000_000, 2_500_001, 99_999].map((afterBytes) => ({ direction: 'down' as const, afterBytes })),
  );
  try {
    let received = Buffer.alloc(0);
    let requests = 0;
    for (; received.byteLength < BYTES && requests < 10; requests += 1) {
      // As `curl -C -` does: without If-Range.
      const Range = `bytes=${received.byteLength}-`;
      const part = await begin(requests === 0 ? member : { ...member, Range }, proxy.port);
      expect(part.status).toBe(requests === 0 ? 200 : 206);
      received = Buffer.concat([received, await read(part)]);
    }
    expect([requests, proxy.cutsMade()]).toEqual([4, 3]);
    expect(received.equals(OLD)).toBe(true);
  } finally {
    await proxy.close();
  }
});
