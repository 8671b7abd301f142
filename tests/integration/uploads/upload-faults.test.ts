import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, toIso } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { isStorageFault } from '#shared/database/database-errors';
import { migrateDown, migrateToLatest } from '#shared/database/migrator.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { addMedia } from '#shared/news/media/add-media.server';
import { changeMedia, moveMedia } from '#shared/news/media/arrange-media';
import type { Media } from '#shared/news/article';
import { deleteArticle } from '#shared/news/save-article.server';
import { deleteMedia } from '#shared/news/media/delete-media.server';
import { MEDIA_FILE } from '#shared/news/media/media-rules';
import { attachTrackingImages } from '#shared/settings/write-settings';
import { addTrackingImage } from '#shared/settings/tracking-image.server';
import { createDiskStorage } from '#shared/storage/disk-storage.server';
import type { StagedFile } from '#shared/storage/file-rule';
import { listOrphanUploads, sweepUploads } from '#shared/storage/sweep-uploads';
import type { FileStorage } from '#shared/storage/storage';
import { uploadIdOf } from '#shared/storage/upload-path';
import { migrations } from '../../../migrations/all-migrations';
import { refusalOf } from '../accounts/accounts-fixture';
import { createTestDatabase, type TestDatabase } from '../database';
import { createImage, storedFiles, writeArticle } from './media-fixture';
import { lockDatabase, refuseWrites, setReadOnly, usesPostgres } from '../database-faults';

const actor = { userId: null };

let database: TestDatabase;
let db: Database;
let root: string;
let disk: FileStorage;
let now: number;
const clock = { now: () => now };
let article: string;
let deaths: (() => void)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
  root = join(database.folder, 'uploads');
  disk = createDiskStorage(root);
  now = Date.now();
  article = await writeArticle(db);
});
afterEach(async () => {
  await database.cleanup();
  for (const end of deaths) end();
  deaths = [];
});

/** The upload context with a modified storage. */
function context(changes: Partial<FileStorage> = {}) {
  return { db, storage: { ...disk, ...changes }, clock };
}

/** A received image, wide enough for three variants. */
async function staged(width = 1_000): Promise<StagedFile> {
  const received = await disk.receive(Readable.from([await createImage({ width })]), {
    accepted: MEDIA_FILE.accepted,
    signal: new AbortController().signal,
  });
  if (received.kind !== 'received') throw new Error(`the image is refused: ${received.kind}`);
  return { ...received, originalName: 'card.jpg' };
}

async function add(changes: Partial<FileStorage> = {}): Promise<Media> {
  return addMedia(context(changes), { articleId: article, file: await staged(), actor });
}

/** Sweeps every half an hour for a while, as a running daemon does. */
async function sweepFor(duration: number): Promise<void> {
  for (const end = now + duration; ; now = Math.min(now + 30 * MINUTE, end)) {
    await sweepUploads(context(), 'uploads');
    if (now >= end) return;
  }
}

async function countStatuses(): Promise<Record<string, number>> {
  const rows = await db.selectFrom('uploads').select('status').execute();
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function expectNothing(): Promise<void> {
  expect(storedFiles(root)).toEqual([]);
  expect(await countStatuses()).toEqual({});
  expect(await db.selectFrom('media').select('id').execute()).toEqual([]);
}

/** Expects every file to belong to a record, and every record to have its files. */
async function expectWhole(): Promise<void> {
  const rows = await db.selectFrom('media').select(['sources', 'share_image']).execute();
  const wanted = rows.flatMap(({ sources, share_image }) => {
    const files = [...JSON.parse(sources), JSON.parse(share_image ?? 'null')] as { path: string }[];
    return files.map(({ path }) => path.replace('/uploads/', ''));
  });
  expect(storedFiles(root)).toEqual(wanted.sort());
  expect(await countStatuses()).toEqual(rows.length === 0 ? {} : { attached: rows.length });
}

/** Never resolves, as in a process that died. */
function died(): Promise<never> {
  return new Promise((_, reject) => deaths.push(() => reject(new Error('died'))));
}

describe('an upload that fails half-way leaves no files', () => {
  test.each([
    ['insert on uploads'],
    ['insert on media'],
    ['update on uploads', "new.status = 'attached'"],
    ['update on articles'],
    ['insert on audit_log'],
  ] as const)('when the database rejects: %s', async (write, when?: string) => {
    const allow = await refuseWrites(db, write, when);
    await expect(add()).rejects.toThrow('refused');
    await allow();
    await expectNothing();
  });

  test.each([1, 2, 3, 4])('when the disk is full at variant %i', async (variant) => {
    let puts = 0;
    const full: FileStorage['put'] = async (id, name, content) => {
      puts += 1;
      if (puts === variant)
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
      return disk.put(id, name, content);
    };
    await expect(add({ put: full })).rejects.toThrow('no space left');
    await expectNothing();
  });

  test('when the folder cannot be written, and reports it in a sentence', async () => {
    // A file at the path of the folder: even root cannot write there.
    const place = join(database.folder, 'file');
    writeFileSync(place, '');
    const blocked = createDiskStorage(place);
    const refusal = await refusalOf(add({ put: blocked.put }));
    expect(refusal).toMatchObject({ kind: 'Unavailable', code: 'storage_unavailable' });
    await expectNothing();
    const source = Readable.from([await createImage()]);
    const options = { accepted: MEDIA_FILE.accepted, signal: new AbortController().signal };
    expect(await refusalOf(blocked.receive(source, options))).toMatchObject({ kind: 'Unavailable' });
  });

  test('when its article is deleted concurrently', async () => {
    const put: FileStorage['put'] = async (...file) => {
      await disk.put(...file);
      await db.deleteFrom('articles').where('id', '=', article).execute();
    };
    expect(await refusalOf(add({ put }))).toMatchObject({ kind: 'NotFound', message: 'Article Not Found' });
    await expectNothing();
  });

  test('when the sweep removed it first', async () => {
    let puts = 0;
    const put: FileStorage['put'] = async (...file) => {
      await disk.put(...file);
      puts += 1;
      // After all four variants.
      if (puts < 4) return;
      await sweepFor(DAY + HOUR);
    };
    await expect(add({ put })).rejects.toThrow('is not pending');
    await expectNothing();
  });
});

test('an upload that a full disk stops leaves no file, although its record cannot be updated', async () => {
  let puts = 0;
  const put: FileStorage['put'] = async (...file) => {
    await disk.put(...file);
    puts += 1;
    if (puts === 3) await setReadOnly(db, true);
  };
  await expect(add({ put })).rejects.toSatisfy(isStorageFault);
  expect(storedFiles(root)).toEqual([]);
  await setReadOnly(db, false);
  expect(await countStatuses()).toEqual({ pending: 1 });
  await sweepFor(DAY + HOUR);
  await expectNothing();
});

test('uploads and deletions wait while another process holds the write lock', async () => {
  const lockFor = async (ms: number) => {
    const release = await lockDatabase(database.config);
    return { released: sleep(ms).then(release) };
  };
  const first = await lockFor(800);
  const media = await add();
  await first.released;
  const second = await lockFor(800);
  await deleteMedia(context(), { mediaId: media.id, actor });
  await second.released;
  await expectNothing();
});

describe('what a killed process leaves', () => {
  async function sweepLater(): Promise<void> {
    await sweepFor(DAY + HOUR);
  }

  test.each([1, 2, 3, 4])(
    'before variant %i is stored is removed after a day, not earlier',
    async (variant) => {
      const reached = new Promise<void>((resolve) => {
        let puts = 0;
        const put: FileStorage['put'] = async (...file) => {
          puts += 1;
          if (puts < variant) return disk.put(...file);
          resolve();
          return died();
        };
        add({ put }).catch(() => undefined);
      });
      await reached;
      expect(await countStatuses()).toEqual({ pending: 1 });
      const left = storedFiles(root);
      expect(left).toHaveLength(variant);
      await sweepFor(DAY - HOUR);
      expect(storedFiles(root)).toEqual(left);
      await sweepLater();
      await expectNothing();
    },
  );

  test('in the middle of a variant is removed too', async () => {
    const id = newId();
    await db
      .insertInto('uploads')
      .values({ id, kind: 'media', status: 'pending', created_at: toIso(now), updated_at: toIso(now) })
      .execute();
    mkdirSync(join(root, id), { recursive: true });
    writeFileSync(join(root, id, '.480.webp.part'), 'half');
    await sweepLater();
    await expectNothing();
  });

  test('after the record is stored is complete', async () => {
    add({ discard: died }).catch(() => undefined);
    await expect.poll(countStatuses).toEqual({ attached: 1 });
    await sweepLater();
    await expectWhole();
  });

  test('between a deletion and its files is removed by the next sweep', async () => {
    const media = await add();
    await deleteMedia(context({ remove: () => Promise.reject(new Error('died')) }), {
      mediaId: media.id,
      actor,
    });
    expect(await countStatuses()).toEqual({ deleted: 1 });
    // Four variants and the image for link previews.
    expect(storedFiles(root)).toHaveLength(5);
    const { faults, removed } = await sweepUploads(
      context({ remove: () => Promise.reject(new Error('busy')) }),
      'uploads',
    );
    expect({ faults, removed }).toEqual({ faults: [new Error('busy')], removed: 0 });
    expect(await sweepUploads(context(), 'uploads')).toMatchObject({ removed: 1, faults: [] });
    await expectNothing();
  });

  test('between the files of a deletion and its row is removed by the next sweep', async () => {
    const media = await add();
    const allow = await refuseWrites(db, 'delete on uploads');
    await deleteMedia(context(), { mediaId: media.id, actor });
    await allow();
    expect(storedFiles(root)).toEqual([]);
    expect(await countStatuses()).toEqual({ deleted: 1 });
    await sweepUploads(context(), 'uploads');
    await expectNothing();
  });

  test('when its cleanup fails is a row, which is removed after a day', async () => {
    const allow = await refuseWrites(db, 'update on uploads');
    await expect(add()).rejects.toThrow('refused');
    expect(storedFiles(root)).toEqual([]);
    expect(await countStatuses()).toEqual({ pending: 1 });
    await allow();
    await sweepLater();
    await expectNothing();
  });
});

describe('the sweep', () => {
  const stuck = (): Promise<never> => Promise.reject(new Error('busy'));

  test('keeps what is in use, and may run twice concurrently', async () => {
    await add();
    const gone = await add();
    await deleteMedia(context({ remove: stuck }), { mediaId: gone.id, actor });
    await sweepFor(DAY);
    now += MINUTE;
    await Promise.all([sweepUploads(context(), 'uploads'), sweepUploads(context(), 'uploads')]);
    await expectWhole();
  });

  test('removes received files without an upload after a day', async () => {
    await staged();
    expect(await sweepUploads(context(), 'uploads')).toMatchObject({ discarded: 0 });
    now += DAY + HOUR;
    expect(await sweepUploads(context(), 'uploads')).toMatchObject({ discarded: 1 });
    await expectNothing();
  });

  test('removes a pending upload after a day', async () => {
    await addTrackingImage(context(), { file: await staged(10) });
    await sweepFor(DAY - HOUR);
    expect(await countStatuses()).toEqual({ pending: 1 });
    await sweepFor(2 * HOUR);
    await expectNothing();
  });

  test('frees space when the database cannot be written, as on a full disk', async () => {
    await add();
    await staged();
    const gone = await add();
    await deleteMedia(context({ remove: stuck }), { mediaId: gone.id, actor });
    now += DAY + HOUR;
    await setReadOnly(db, true);
    const { discarded, faults } = await sweepUploads(context(), 'uploads');
    expect(discarded).toBe(1);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every(isStorageFault)).toBe(true);
    expect(await disk.list()).not.toContain(uploadIdOf(gone.filePath));
  });
});

describe('folders without a record', () => {
  function makeOrphan(): string {
    const id = newId();
    mkdirSync(join(root, id), { recursive: true });
    writeFileSync(join(root, id, '480.webp'), 'x');
    return id;
  }

  test('are listed, and the sweep never removes them', async () => {
    const { filePath } = await add();
    const orphans = [makeOrphan(), makeOrphan()].sort();
    writeFileSync(join(root, 'notes.txt'), 'x');
    mkdirSync(join(root, 'lost+found'));
    await sweepFor(3 * DAY);
    expect(await listOrphanUploads(context())).toEqual(orphans);
    expect((await disk.list()).sort()).toEqual([...orphans, uploadIdOf(filePath)].sort());
  });

  test('are all folders when the database is empty', async () => {
    await add();
    const other = await createTestDatabase();
    expect(await listOrphanUploads({ ...context(), db: other.db })).toEqual(await disk.list());
    await other.cleanup();
  });

  // PostgreSQL reverts no migration.
  test.skipIf(usesPostgres())('keep their files when the tables were dropped and created again', async () => {
    await add();
    const before = storedFiles(root);
    const untilUploads = Object.keys(migrations).filter((name) => name >= '0003');
    for (const _ of untilUploads) await migrateDown(database.config, migrations);
    await migrateToLatest(database.config, migrations);
    await sweepFor(3 * DAY);
    expect(storedFiles(root)).toEqual(before);
  });

  // The backup is a copy of the file.
  test.skipIf(usesPostgres())(
    'appear with an older backup, whose sweep keeps the files of later uploads',
    async () => {
      await add();
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
      const backup = join(database.folder, 'backup.db');
      copyFileSync(database.file, backup);
      const later = await add();
      const before = storedFiles(root);
      now += 7 * DAY;
      const restored = openDatabase({ engine: 'sqlite', file: backup });
      const beside = { ...context(), db: restored };
      expect(await sweepUploads(beside, 'uploads')).toEqual({
        removed: 0,
        discarded: 0,
        faults: [],
        stopped: false,
      });
      expect(storedFiles(root)).toEqual(before);
      expect(await listOrphanUploads(beside)).toEqual([uploadIdOf(later.filePath)]);
      await restored.destroy();
    },
  );
});

describe('concurrent changes', () => {
  test('give each upload to an article its own position', async () => {
    const all = await Promise.all([add(), add(), add(), add()]);
    expect(all.map(({ displayOrder }) => displayOrder).sort()).toEqual([0, 1, 2, 3]);
    await expectWhole();
  });

  test('let one of two deletions succeed, and the other one find nothing', async () => {
    const { id } = await add();
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => deleteMedia(context(), { mediaId: id, actor })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expectNothing();
  });

  test('remove an article with all of its media, also uploads that are still running', async () => {
    await add();
    // `allSettled` at once, since each may be rejected while the deletion runs.
    const uploads = Promise.allSettled([add(), add(), add()]);
    await deleteArticle(context(), { id: article, actor });
    await uploads;
    await expectNothing();
    expect(await refusalOf(deleteArticle(context(), { id: article, actor }))).toMatchObject({
      kind: 'NotFound',
      message: 'Article Not Found',
    });
  });
});

describe('arranging media', () => {
  async function order(): Promise<[string, number][]> {
    const rows = await db
      .selectFrom('media')
      .select(['id', 'display_order'])
      .where('article_id', '=', article)
      .orderBy('display_order')
      .execute();
    return rows.map(({ id, display_order }) => [id, display_order]);
  }

  test('moves one place, numbers from 0, and stops at the ends', async () => {
    const ids: string[] = [];
    for (const displayOrder of [3, 9, 40]) {
      const file = await staged(10);
      ids.push((await addMedia(context(), { articleId: article, file, displayOrder, actor })).id);
    }
    const [first = '', second = '', third = ''] = ids;
    await moveMedia(db, { mediaId: first, direction: 'up', actor, clock });
    expect(await order()).toEqual([
      [first, 3],
      [second, 9],
      [third, 40],
    ]);
    await moveMedia(db, { mediaId: third, direction: 'up', actor, clock });
    expect(await order()).toEqual([
      [first, 0],
      [third, 1],
      [second, 2],
    ]);
    await moveMedia(db, { mediaId: first, direction: 'down', actor, clock });
    await moveMedia(db, { mediaId: second, direction: 'down', actor, clock });
    expect((await order()).map(([id]) => id)).toEqual([third, first, second]);
    expect(await refusalOf(moveMedia(db, { mediaId: 'none', direction: 'up', actor, clock }))).toMatchObject({
      kind: 'NotFound',
    });
  });

  test('changes texts, with an audit row', async () => {
    const { id } = await add();
    await changeMedia(db, { mediaId: id, altText: 'A card', caption: 'Front', actor, clock });
    const row = await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ alt_text: 'A card', caption: 'Front' });
    const audited = await db.selectFrom('audit_log').select(['action', 'subject']).execute();
    expect(audited).toContainEqual({ action: 'media.change', subject: id });
    const change = { mediaId: 'none', altText: '', caption: '', actor, clock };
    expect(await refusalOf(changeMedia(db, change))).toMatchObject({ kind: 'NotFound' });
  });
});

describe('the image of a tracking set', () => {
  const keep = (...imageUrls: string[]): Promise<void> =>
    inTransaction(db, (trx) => attachTrackingImages(trx, { imageUrls, now }));

  test('is kept while saved sets use it, and removed when none does', async () => {
    const { imageUrl: first } = await addTrackingImage(context(), { file: await staged() });
    const { imageUrl: second } = await addTrackingImage(context(), { file: await staged() });
    expect(await countStatuses()).toEqual({ pending: 2 });
    await keep(first, '/images/from-elsewhere.webp');
    expect(await countStatuses()).toEqual({ attached: 1, pending: 1 });
    await sweepFor(DAY + HOUR);
    expect(new Set(storedFiles(root).map((path) => path.split('/')[0]))).toEqual(
      new Set([uploadIdOf(first)]),
    );
    expect(await refusalOf(keep(first, second))).toMatchObject({ kind: 'Invalid', code: 'image_gone' });
    expect(await countStatuses()).toEqual({ attached: 1 });
    await keep();
    expect(await countStatuses()).toEqual({ deleted: 1 });
    await sweepUploads(context(), 'uploads');
    await expectNothing();
  });

  test('cannot be the image of an article', async () => {
    const media = await add();
    expect(await refusalOf(keep(media.filePath))).toMatchObject({ code: 'image_gone' });
    await expectWhole();
  });
});
