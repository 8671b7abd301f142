import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock';
import { readContentVersion } from '#shared/content/content-version';
import type { Media } from '#shared/news/article';
import { addMedia } from '#shared/news/media/add-media.server';
import { deleteMedia } from '#shared/news/media/delete-media.server';
import { makeMissingShareImages } from '#shared/news/media/missing-share-images.server';
import { createDiskStorage, uploadsFolder } from '#shared/storage/disk-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import type { StorageContext } from '#shared/storage/upload-records';
import { uploadIdOf } from '#shared/storage/upload-path';
import { createTestDatabase, type TestDatabase } from '../database';
import { createImage, storedFiles, writeArticle } from './media-fixture';

const ACTOR = { userId: null };

let folder: string;
let database: TestDatabase;
let storage: FileStorage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-share-images-'));
  storage = createDiskStorage(uploadsFolder(folder));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

function context(): StorageContext {
  return { db: database.db, storage, clock: systemClock };
}

/** Adds an image to an article as an upload does. */
async function add(bytes: Buffer): Promise<Media> {
  const received = await storage.receive(Readable.from([bytes]), {
    accepted: { '*/*': bytes.byteLength },
    signal: new AbortController().signal,
  });
  if (received.kind !== 'received') throw new Error(received.kind);
  const articleId = await writeArticle(database.db, { published: true });
  return addMedia(context(), { articleId, file: { ...received, originalName: 'card' }, actor: ACTOR });
}

function uploadOf({ filePath }: Media): string {
  return uploadIdOf(filePath) ?? '';
}

function filesOf(image: Media): string[] {
  return storedFiles(uploadsFolder(folder)).filter((path) => path.startsWith(uploadOf(image)));
}

/** The share image of an image, checked against its file. */
async function shareImageOf({ shareImage }: Media): Promise<{ width: number; height: number; file: Buffer }> {
  if (shareImage === null) throw new Error('there is no share image');
  const { path, width, height, fileSize } = shareImage;
  const file = readFileSync(join(folder, path));
  expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', isProgressive: true, width, height });
  expect(file.byteLength).toBe(fileSize);
  expect(fileSize).toBeLessThanOrEqual(300_000);
  return { width, height, file };
}

function noise(width: number, height: number): Promise<Buffer> {
  const settings = { type: 'gaussian', mean: 128, sigma: 80 } as const;
  return sharp({ create: { width, height, channels: 3, noise: settings, background: '#000' } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

describe('the share image of an image', () => {
  test.each([
    ['a large one', { width: 2400, height: 1500 }, [1200, 750]],
    ['one that lies on its side', { width: 1500, height: 1800, orientation: 6 }, [1200, 1000]],
    ['a small one, which is not enlarged', { width: 320, height: 200 }, [320, 200]],
    ['a very tall one', { width: 1000, height: 6000 }, [400, 2400]],
  ] as const)('of %s is a JPEG up to 1200 pixels wide', async (_, image, [width, height]) => {
    expect(await shareImageOf(await add(await createImage(image)))).toMatchObject({ width, height });
  });

  test('is white where the image is transparent', async () => {
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    const { file } = await shareImageOf(await add(clear));
    expect([...(await sharp(file).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test('of an animation is its first frame', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 20, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { file, height } = await shareImageOf(await add(gif));
    expect(height).toBe(20);
    expect((await sharp(file).raw().toBuffer())[0]).toBeGreaterThan(200);
  });

  test('has at most 300 KB, whatever the image', async () => {
    const { width } = await shareImageOf(await add(await noise(1200, 1500)));
    expect(width).toBeLessThan(1200);
  });

  test('is deleted with the image', async () => {
    const image = await add(await createImage());
    expect(filesOf(image)).toHaveLength(2);
    await deleteMedia(context(), { mediaId: image.id, actor: ACTOR });
    expect(filesOf(image)).toEqual([]);
  });
});

describe('images of an earlier release', () => {
  async function forget({ id }: Media): Promise<void> {
    await database.db.updateTable('media').set({ share_image: null }).where('id', '=', id).execute();
  }
  async function rowOf({ id }: Media): Promise<string | null> {
    const rows = await database.db.selectFrom('media').select('share_image').where('id', '=', id).execute();
    return rows[0]?.share_image ?? null;
  }

  test('get their share images from their largest variants, once', async () => {
    const images = [await add(await createImage()), await add(await createImage({ width: 2000 }))];
    for (const image of images) await forget(image);
    const lost = await add(await createImage());
    await forget(lost);
    await storage.remove(uploadOf(lost));
    const revision = await readContentVersion(database.db);

    expect(await makeMissingShareImages(context())).toEqual({ made: 2, faults: [] });
    for (const image of images) expect(JSON.parse((await rowOf(image)) ?? '')).toEqual(image.shareImage);
    expect(await rowOf(lost)).toBeNull();
    expect(await readContentVersion(database.db)).toBe(revision + 2);
    expect(await makeMissingShareImages(context())).toEqual({ made: 0, faults: [] });
  });

  test('that are deleted during this leave no file', async () => {
    const image = await add(await createImage());
    await forget(image);
    const deleting: FileStorage = {
      ...storage,
      async put(...file) {
        await deleteMedia(context(), { mediaId: image.id, actor: ACTOR });
        await storage.put(...file);
      },
    };
    const found = await makeMissingShareImages({ db: database.db, storage: deleting });
    expect(found.faults).toEqual([]);
    expect(filesOf(image)).toEqual([]);
  });

  test('that cannot be decoded are reported and do not block the others', async () => {
    const [broken, other] = [await add(await createImage()), await add(await createImage())];
    for (const image of [broken, other]) await forget(image);
    await storage.put(uploadOf(broken), '64.webp', Buffer.from('x'));
    const { made, faults } = await makeMissingShareImages(context());
    expect([made, faults.length]).toEqual([1, 1]);
    expect(await rowOf(other)).not.toBeNull();
  });
});
