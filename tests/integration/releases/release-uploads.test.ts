import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE } from '#shared/clock';
import { PLATFORMS } from '#shared/releases/release';
import { sweepReleaseUploads } from '#shared/releases/release-uploads';
import { serverContext } from '~/http/server/context.server';
import { eventually } from '../../eventually';
import { programFor, windowsProgram } from '../../fixtures/releases/programs';
import { callApi, createApiFixture, type ApiFixture } from '../api/api-fixture';
import {
  audit,
  clearReleases,
  encode,
  NOTHING,
  parts,
  releaseOf,
  sha256,
  stored,
  upload,
  type Parts,
  type ReleaseBody,
} from './releases-fixture';

let fixture: ApiFixture;
let token: string;
beforeAll(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
beforeEach(() => clearReleases(fixture));
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => fixture.cleanup());

test.each(PLATFORMS)('the fields may follow the file: %s', async (platform) => {
  const file = programFor(platform);
  const name = { windows: 'a.exe', macos: 'a.DMG', linux: 'a.appimage' }[platform];
  const [version, target, content] = parts({ platform, file, name });
  const answer = await upload(token, [content!, target!, version!]);
  expect(answer.status).toBe(201);
  expect(releaseOf(answer).platforms[platform]?.sha256).toBe(sha256(file));
});

/** A body that is sent in two halves; the second one waits for `resume`. */
function pausedBody(bytes: Uint8Array): { stream: ReadableStream<Uint8Array>; resume(): void; fail(): void } {
  let resume = (): void => undefined;
  let fail = (): void => undefined;
  const gate = new Promise<void>((resolve, reject) => {
    resume = resolve;
    fail = () => reject(new Error('the connection broke'));
  });
  gate.catch(() => undefined);
  let half = 0;
  const middle = Math.floor(bytes.byteLength / 2);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      half += 1;
      if (half === 2) await gate;
      controller.enqueue(half === 1 ? bytes.subarray(0, middle) : bytes.subarray(middle));
      if (half === 2) controller.close();
    },
  });
  return { stream, resume, fail };
}

const running = () => fixture.db.selectFrom('release_uploads').selectAll().execute();

/** Begins an upload whose second half waits. */
async function beginSlowly(all: Parts = parts()) {
  const { bytes, headers } = await encode(all);
  const body = pausedBody(bytes);
  const answer = callApi('POST', '/api/downloads/upload', { token, stream: body.stream, headers });
  await eventually(async () => expect(await running()).toHaveLength(1));
  return { ...body, answer };
}

test('a second upload of the same file is refused before it is read, and the first continues', async () => {
  const first = await beginSlowly();
  const { bytes, headers } = await encode(parts({ file: windowsProgram({ bytes: 500_000 }) }));
  const receive = vi.spyOn(serverContext().releaseStorage, 'receive');
  const second = await callApi('POST', '/api/downloads/upload', { token, bytes, headers });
  expect(second).toMatchObject({ status: 409, body: { code: 'upload_in_progress' } });
  expect(receive).not.toHaveBeenCalled();
  const { body } = await callApi('POST', '/api/downloads/release', {
    token,
    body: { version: '1.4.0', release_notes: '', is_beta: true },
  });
  const { id } = (body as { release: ReleaseBody }).release;
  for (const [method, changes] of [['DELETE'], ['PUT', { version: '1.4.1' }]] as const)
    expect(await callApi(method, `/api/downloads/release/${id}`, { token, body: changes })).toMatchObject({
      status: 409,
      body: { code: 'upload_in_progress' },
    });
  // Another platform and another version are independent.
  expect((await upload(token, parts({ version: '1.4.2' }))).status).toBe(201);
  first.resume();
  expect(await first.answer).toMatchObject({ status: 201, body: { release: { id } } });
  expect(await running()).toEqual([]);
});

test('an upload that is cancelled while it arrives stores nothing', async () => {
  const first = await beginSlowly();
  await fixture.db.deleteFrom('release_uploads').execute();
  first.resume();
  expect(await first.answer).toMatchObject({ status: 409, body: { code: 'upload_cancelled' } });
  expect(await stored(fixture)).toEqual(NOTHING);
});

test('an upload whose process died blocks the next one for two minutes', async () => {
  const { clock } = serverContext();
  const now = clock.now();
  const first = await beginSlowly();
  expect(await sweepReleaseUploads(fixture.db, { clock })).toBe(0);
  vi.spyOn(clock, 'now').mockReturnValue(now + 3 * MINUTE);
  expect((await upload(token)).status).toBe(201);
  first.resume();
  expect(await first.answer).toMatchObject({ status: 409, body: { code: 'upload_cancelled' } });
  expect(await stored(fixture)).toMatchObject({ rows: [1, 1, 1], running: 0 });
});

test('an upload that breaks off at any stage leaves nothing', async () => {
  const { bytes, headers } = await encode([
    ...parts({ file: windowsProgram({ bytes: 200_000 }) }),
    ['is_beta', 'true'],
  ]);
  const marks = ['"version"', 'filename', 'MZ', '"is_beta"'].map((mark) => Buffer.from(bytes).indexOf(mark));
  for (const end of [0, 10, ...marks.flatMap((mark) => [mark, mark + 30]), 100_000, bytes.byteLength - 3]) {
    for (const breaks of [true, false]) {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes.subarray(0, end)),
        pull: (controller) =>
          breaks ? controller.error(new Error('the connection broke')) : controller.close(),
      });
      const answer = await callApi('POST', '/api/downloads/upload', { token, stream, headers });
      expect([end, answer.status]).toEqual([end, 400]);
      expect(answer.body).toMatchObject({ success: false, message: expect.any(String) });
      expect(await stored(fixture)).toEqual(NOTHING);
    }
  }
});

describe('a storage that fails', () => {
  test('a disk that would be full refuses an upload before it is read', async () => {
    const { releaseStorage } = serverContext();
    vi.spyOn(releaseStorage, 'freeBytes').mockResolvedValue(512 * 1024 ** 2 + 1_000);
    const receive = vi.spyOn(releaseStorage, 'receive');
    const { bytes, headers } = await encode(parts());
    const answer = await callApi('POST', '/api/downloads/upload', {
      token,
      bytes,
      headers: { ...headers, 'Content-Length': String(bytes.byteLength) },
    });
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_full' } });
    expect(receive).not.toHaveBeenCalled();
    expect(await stored(fixture)).toEqual(NOTHING);
  });

  test('a file that cannot be stored changes nothing, and the old one stays', async () => {
    await upload(token);
    const before = await stored(fixture);
    await fixture.db.deleteFrom('audit_log').execute();
    const { releaseStorage } = serverContext();
    vi.spyOn(releaseStorage, 'put').mockRejectedValueOnce(new Error('the disk broke'));
    const again = () =>
      upload(token, [['is_beta', 'true'], ...parts({ file: windowsProgram({ seed: 'other' }) })]);
    expect(await again()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(await stored(fixture)).toEqual(before);
    expect(await audit(fixture)).toEqual([]);
    expect((await again()).status).toBe(201);
  });

  test('a received file that cannot be removed does not block the next upload', async () => {
    const { releaseStorage } = serverContext();
    vi.spyOn(releaseStorage, 'put').mockRejectedValueOnce(new Error('the disk broke'));
    vi.spyOn(releaseStorage, 'discard').mockRejectedValueOnce(new Error('EACCES'));
    expect((await upload(token)).status).toBe(500);
    expect((await upload(token)).status).toBe(201);
    await releaseStorage.discardBefore(Date.now() + MINUTE);
  });
});
