import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createAccount } from '#shared/accounts/account';
import { createSession } from '#shared/accounts/sessions';
import { DAY, HOUR, MINUTE, systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { inTransaction } from '#shared/database/transaction';
import { createArticle } from '#shared/news/save-article.server';
import { createDiskStorage, uploadsFolder } from '#shared/storage/disk-storage.server';
import { sweepUploads } from '#shared/storage/sweep-uploads';
import { createDatabase, startWeb, type Environment, type Web } from './stack';
import { expect, test } from './test';

let folder: string;
let environment: Environment;
let web: Web;
let db: Database;
let cookie: string;
let article: string;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-killed-upload-'));
  environment = {
    SANDBOX: '1',
    DATA_DIR: folder,
    REDIS_URL: 'redis://127.0.0.1:1',
    SESSION_SECRET: 'a-secret-of-some-length',
  };
  await createDatabase(folder);
  db = openSqliteDatabase(join(folder, 'packwatch.db'));
  web = await startWeb(environment, folder);
  const admin = { email: 'admin@packwatch.example', username: 'admin' };
  const { id: accountId } = await inTransaction(db, async (trx) => {
    const account = await createAccount(trx, admin, Date.now());
    await trx
      .updateTable('users')
      .set({ role: 'admin', email_verified_at: new Date().toISOString() })
      .where('id', '=', account.id)
      .execute();
    return account;
  });
  const { token } = await createSession(db, { accountId, userAgent: null, clock: systemClock });
  cookie = `packwatch_session=${token}`;
  const fields = { title: 'A new set', content: '<p>It is here.</p>' };
  const author = { id: null, username: null };
  article = (await createArticle(db, { fields, author, clock: systemClock })).id;
});

test.afterEach(async () => {
  await web.running.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** Every file of the uploads folder, by its path in it. */
function storedFiles(): string[] {
  const root = uploadsFolder(folder);
  return (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
}

function listUploads(): Promise<{ status: string }[]> {
  return db.selectFrom('uploads').select('status').execute();
}

function mediaUrl(): string {
  return `${web.url}/api/news/admin/articles/${article}/media`;
}

async function upload(bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'card.jpg');
  const answer = await fetch(mediaUrl(), {
    method: 'POST',
    headers: { Cookie: cookie, Origin: web.url },
    body: form,
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { data: { media: { filePath: string } } }).data.media.filePath;
}

/** Sends a file, or its first half and nothing more. The answer never comes: who would give it is killed. */
function beginUpload(bytes: Buffer, { half = false } = {}): void {
  const boundary = 'a-boundary-of-ours';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="card.jpg"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const sending = send(mediaUrl(), {
    method: 'POST',
    headers: {
      Cookie: cookie,
      Origin: web.url,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': body.byteLength,
    },
  });
  sending.on('error', () => undefined);
  if (half) sending.write(body.subarray(0, body.byteLength / 2));
  else sending.end(body);
}

async function killWeb(): Promise<void> {
  web.running.child.kill('SIGKILL');
  expect(await web.running.ended).toMatchObject({ signal: 'SIGKILL' });
}

/** A day of sweeps, as the daemon's, from now on. */
async function sweepForADay(): Promise<void> {
  const storage = createDiskStorage(uploadsFolder(folder));
  const start = Date.now();
  for (let passed = 0; passed <= DAY + HOUR; passed += 30 * MINUTE)
    await sweepUploads({ db, storage, clock: { now: () => start + passed } }, 'uploads');
}

function photograph(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 };
  return sharp({ create: { width, height, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 60 })
    .toBuffer();
}

/** Kills the site in the middle of an upload and starts it anew; returns what it left, when it has all gone again. */
async function surviveKill(half: boolean, isUnderWay: () => Promise<boolean> | boolean): Promise<string[]> {
  const earlier = await upload(await photograph(600, 400));
  const whole = storedFiles();
  // Only the processing has to take a while.
  beginUpload(await (half ? photograph(1_200, 900) : photograph(5_000, 4_000)), { half });
  await expect.poll(isUnderWay, { intervals: [2] }).toBe(true);
  await killWeb();
  const left = storedFiles().filter((path) => !whole.includes(path));

  web = await startWeb(environment, folder);
  expect((await fetch(web.url + earlier)).status).toBe(200);
  await sweepForADay();
  expect(storedFiles()).toEqual(whole);
  expect(await listUploads()).toEqual([{ status: 'attached' }]);
  expect(await db.selectFrom('media').select('file_path').execute()).toEqual([{ file_path: earlier }]);
  expect((await fetch(web.url + earlier)).status).toBe(200);
  return left;
}

test('a web process killed during an upload leaves no file after the sweep @no-scripts', async () => {
  const left = await surviveKill(true, () => storedFiles().some((path) => path.startsWith('.part/')));
  expect(left).toEqual([expect.stringMatching(/^\.part\//)]);
});

test('a web process killed while it processes an upload leaves no file after the sweep @no-scripts', async () => {
  const left = await surviveKill(false, async () =>
    (await listUploads()).some(({ status }) => status === 'pending'),
  );
  expect(left).toContainEqual(expect.stringMatching(/^\.part\//));
});
