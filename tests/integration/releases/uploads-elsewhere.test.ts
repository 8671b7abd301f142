import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND, systemClock, toIso } from '#shared/clock';
import { finishResumableUpload } from '#shared/releases/resumable-upload.server';
import { openStorage } from '#shared/storage/open-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import { startStagingSweep } from '#shared/storage/sweep-staging';
import { serverContext } from '~/http/server/context.server';
import { windowsProgram } from '../../fixtures/releases/programs';
import { createTusFixture, refusalOf, sha256Of, storedSha256, type TusFixture } from './tus-fixture';

const file = windowsProgram({ seed: 'two machines' });

let tus: TusFixture;
let folder: string;
/** The storages of the machine that began an upload, and of another one. Both store files in the same place. */
let here: FileStorage;
let elsewhere: FileStorage;

beforeAll(async () => {
  tus = await createTusFixture();
  folder = mkdtempSync(join(tmpdir(), 'packwatch-elsewhere-'));
  here = serverContext().releaseStorage;
  elsewhere = openStorage({ dataDir: folder, s3: null }, 'releases');
});
afterEach(() => moveTo(here));
afterAll(async () => {
  await tus.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

/** Lets the next requests arrive at another machine. */
function moveTo(storage: FileStorage): void {
  serverContext().releaseStorage = storage;
}

/** Makes the record of an upload as old as a sender's lost response. */
async function age(id: string, changes: { received_at?: string } = {}): Promise<void> {
  const at = toIso(Date.now() - 10 * SECOND);
  await serverContext()
    .db.updateTable('release_uploads')
    .set({ created_at: at, received_at: at, ...changes })
    .where('id', '=', id)
    .execute();
}

test('a machine that does not have the bytes of an upload refuses its calls, and the other one continues it', async () => {
  const { url, version } = await tus.begin();
  expect((await tus.patch(url, 0, file.subarray(0, 1_000))).status).toBe(204);
  moveTo(elsewhere);
  expect((await tus.head(url)).status).toBe(409);
  const refusal = await refusalOf(await tus.patch(url, 1_000, file.subarray(1_000)));
  expect(refusal).toMatchObject({ status: 409, success: false, code: 'upload_elsewhere' });
  expect(refusal['message']).toMatch(/^Another server of this site .+\. Please try again/);
  moveTo(here);
  expect((await tus.head(url)).headers.get('Upload-Offset')).toBe('1000');
  expect((await tus.patch(url, 1_000, file.subarray(1_000))).status).toBe(204);
  expect(await storedSha256(version)).toBe(sha256Of(file));
});

test('only the machine that has the bytes stores the file', async () => {
  const { id } = await tus.begin();
  writeFileSync(join(here.stagingFolder, id), file);
  const { db, clock } = serverContext();
  const actor = { userId: tus.admin.id };
  await expect(finishResumableUpload({ db, clock, storage: elsewhere }, { id, actor })).rejects.toMatchObject(
    { code: 'upload_elsewhere' },
  );
  expect(await finishResumableUpload({ db, clock, storage: here }, { id, actor })).not.toBeNull();
});

test('any machine cancels an upload; its bytes are removed by the sweep of their machine', async () => {
  const { url, id } = await tus.begin();
  await tus.patch(url, 0, file.subarray(0, 1_000));
  moveTo(elsewhere);
  expect((await tus.cancel(url)).status).toBe(204);
  moveTo(here);
  expect((await tus.head(url)).status).toBe(404);
  const staged = join(here.stagingFolder, id);
  const fresh = join(here.stagingFolder, 'fresh');
  writeFileSync(fresh, '');
  utimesSync(staged, new Date(Date.now() - DAY - MINUTE), new Date(Date.now() - DAY - MINUTE));
  const sweep = startStagingSweep([elsewhere, here], {
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  await sweep.stop();
  expect([existsSync(staged), existsSync(fresh)]).toEqual([false, true]);
  rmSync(fresh);
});

test('an upload of another machine is replaced if no bytes arrived there, and not if some did', async () => {
  const unused = await tus.begin();
  await age(unused.id);
  moveTo(elsewhere);
  expect((await tus.begin({ version: unused.version })).response.status).toBe(201);
  moveTo(here);
  const used = await tus.begin();
  await age(used.id, { received_at: toIso(Date.now()) });
  moveTo(elsewhere);
  const second = await tus.begin({ version: used.version });
  expect(await refusalOf(second.response)).toMatchObject({ status: 409, code: 'upload_in_progress' });
});

test('an upload that an earlier release began continues', async () => {
  const { url, id, version } = await tus.begin();
  await serverContext()
    .db.updateTable('release_uploads')
    .set({ machine: null })
    .where('id', '=', id)
    .execute();
  expect((await tus.patch(url, 0, file)).status).toBe(204);
  expect(await storedSha256(version)).toBe(sha256Of(file));
});

test('the processes of a machine agree on its id, also when they start at the same time, and keep it', async () => {
  const dataDir = join(folder, 'new');
  mkdirSync(dataDir);
  const open = () => openStorage({ dataDir, s3: null }, 'releases');
  const ids = await Promise.all(Array.from({ length: 10 }, () => open().machine()));
  expect(new Set([...ids, await open().machine()]).size).toBe(1);
  expect(readdirSync(join(dataDir, 'releases'))).toEqual(['.machine']);
  expect(await elsewhere.machine()).not.toBe(ids[0]);
});
