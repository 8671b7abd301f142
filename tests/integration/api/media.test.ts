import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Media } from '#shared/news/article';
import { readContentVersion } from '#shared/content/content-version';
import { changeMedia } from '#shared/news/media/arrange-media';
import { listPublishedOutlines } from '#shared/news/list-articles';
import { uploadIdOf } from '#shared/storage/upload-path';
import { readArticlePage } from '~/routes/site/news/news.server';
import { serverContext } from '~/http/server/context.server';
import { cpuTimeOf } from '../../cpu-time';
import { callApi, createApiFixture, type ApiResponse, type ApiFixture } from './api-fixture';
import {
  fileForm,
  largeImage,
  createImage,
  storedFiles,
  videoFile,
  writeArticle,
} from '../uploads/media-fixture';

const MEGABYTE = 1024 * 1024;

let fixture: ApiFixture;
let token: string;
beforeAll(async () => {
  fixture = await createApiFixture();
});
afterAll(() => fixture.cleanup());
beforeEach(async () => {
  token = await fixture.tokenOf('admin');
});

function upload(articleId: string, form: FormData): Promise<ApiResponse> {
  return callApi('POST', `/api/news/admin/articles/${articleId}/media`, { token, form });
}

function uploadTracking(form: FormData): Promise<ApiResponse> {
  return callApi('POST', '/api/settings/tracking-sets/upload', { token, form });
}

function mediaOf(answer: ApiResponse): Media {
  expect(answer.status).toBe(201);
  return (answer.body.data as { media: Media }).media;
}

function fileOf(path: string): string {
  return join(serverContext().config.dataDir, path);
}

/** An animation of this many frames of one colour each, red and blue in turns. */
async function animation(
  frames: number,
  { width, height, type = 'gif' }: { width: number; height: number; type?: 'gif' | 'webp' },
): Promise<Buffer> {
  const images = await Promise.all(
    Array.from({ length: frames }, (_, index) =>
      sharp({ create: { width, height, channels: 3, background: index % 2 === 0 ? '#ff0000' : '#0000ff' } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(images, { join: { animated: true } })
    .toFormat(type, { delay: images.map(() => 50) })
    .toBuffer();
}

async function sourcesOf(mediaId: string): Promise<{ path: string; width: number; height: number }[]> {
  const row = await fixture.db
    .selectFrom('media')
    .select('sources')
    .where('id', '=', mediaId)
    .executeTakeFirstOrThrow();
  return JSON.parse(row.sources) as { path: string; width: number; height: number }[];
}

async function expectNothingNew(files: readonly string[], uploads: number): Promise<void> {
  expect(storedFiles()).toEqual(files);
  const rows = await fixture.db.selectFrom('uploads').select('id').execute();
  expect(rows).toHaveLength(uploads);
}

async function countUploads(): Promise<number> {
  return (await fixture.db.selectFrom('uploads').select('id').execute()).length;
}

describe('an image of an article', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'is accepted as %s and stored as WebP',
    async (type) => {
      const article = await writeArticle(fixture.db);
      const bytes = await createImage({ type });
      const media = mediaOf(
        await upload(
          article,
          fileForm('file', bytes, { altText: ' A card ', caption: 'Front', name: `card.${type}` }),
        ),
      );
      expect(media).toEqual({
        id: expect.any(String),
        mediaType: 'image',
        filePath: expect.stringMatching(/^\/uploads\/[\da-f-]{36}\/64\.webp$/),
        altText: 'A card',
        caption: 'Front',
        displayOrder: 0,
        originalName: `card.${type}`,
        fileSize: readFileSync(fileOf(media.filePath)).byteLength,
        width: 64,
        height: 48,
      });
      expect(await sharp(fileOf(media.filePath)).metadata()).toMatchObject({
        format: 'webp',
        width: 64,
        height: 48,
      });
    },
  );

  test('is stored in several widths, narrowest first, and never enlarged', async () => {
    const article = await writeArticle(fixture.db);
    const widthsOf = async (width: number, height: number) => {
      const media = mediaOf(await upload(article, fileForm('file', await createImage({ width, height }))));
      const sources = await sourcesOf(media.id);
      for (const source of sources)
        expect(await sharp(fileOf(source.path)).metadata()).toMatchObject({
          width: source.width,
          height: source.height,
        });
      expect(sources.at(-1)).toEqual({ path: media.filePath, width: media.width, height: media.height });
      return sources.map((source) => source.width);
    };
    expect(await widthsOf(2400, 1200)).toEqual([240, 480, 960, 1600]);
    expect(await widthsOf(1600, 10)).toEqual([240, 480, 960, 1600]);
    expect(await widthsOf(1200, 600)).toEqual([240, 480, 960, 1200]);
    expect(await widthsOf(480, 20)).toEqual([480]);
    expect(await widthsOf(1, 1)).toEqual([1]);
  });

  test('that is very tall is scaled down and stored once', async () => {
    const article = await writeArticle(fixture.db);
    const media = mediaOf(
      await upload(article, fileForm('file', await createImage({ width: 20, height: 20_000, type: 'png' }))),
    );
    expect(media).toMatchObject({ width: 8, height: 8_192 });
  });

  test('is rotated upright and has no metadata', async () => {
    const article = await writeArticle(fixture.db);
    const bytes = await createImage({ width: 600, height: 300, orientation: 6 });
    expect(bytes.toString('latin1')).toContain('Silph Camera');
    const media = mediaOf(await upload(article, fileForm('file', bytes)));
    expect(media).toMatchObject({ width: 300, height: 600 });
    const kept = readFileSync(fileOf(media.filePath));
    expect(kept.toString('latin1')).not.toContain('Silph');
    const { exif, xmp, icc, iptc, orientation } = await sharp(kept).metadata();
    expect({ exif, xmp, icc, iptc, orientation }).toEqual({});
  });

  test('in a wide colour space looks the same in sRGB', async () => {
    const article = await writeArticle(fixture.db);
    const wide = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c81e5a' } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const media = mediaOf(await upload(article, fileForm('file', wide)));
    const [red, green, blue] = await sharp(fileOf(media.filePath)).raw().toBuffer();
    for (const [is, was] of [
      [red, 0xc8],
      [green, 0x1e],
      [blue, 0x5a],
    ] as const)
      expect(Math.abs((is ?? 0) - was)).toBeLessThan(12);
  });

  test('that is a small animation stays animated, in each width', async () => {
    const article = await writeArticle(fixture.db);
    for (const type of ['gif', 'webp'] as const) {
      const bytes = await animation(3, { width: 600, height: 40, type });
      const media = mediaOf(await upload(article, fileForm('file', bytes)));
      expect(media).toMatchObject({ width: 600, height: 40 });
      for (const { path, width } of await sourcesOf(media.id))
        expect(await sharp(fileOf(path)).metadata()).toMatchObject({ width, pages: 3, delay: [50, 50, 50] });
      expect(await sourcesOf(media.id)).toHaveLength(3);
      // Of a tracking set, which the landing page shows, the first frame is kept.
      const { data } = (await uploadTracking(fileForm('image', bytes))).body;
      const { imageUrl } = data as { imageUrl: string };
      expect((await sharp(fileOf(imageUrl)).metadata()).pages ?? 1).toBe(1);
    }
  });

  test('that is a large animation is stored as its first frame', async () => {
    const article = await writeArticle(fixture.db);
    for (const [frames, size] of [
      [101, { width: 4, height: 4 }],
      [13, { width: 1000, height: 1000 }],
    ] as const) {
      const media = mediaOf(await upload(article, fileForm('file', await animation(frames, size))));
      expect((await sharp(fileOf(media.filePath)).metadata()).pages ?? 1).toBe(1);
      const { data } = await sharp(fileOf(media.filePath)).raw().toBuffer({ resolveWithObject: true });
      expect(data[0]).toBeGreaterThan(200);
    }
  });

  test('has the type of its content, whatever its name, and the name is never used as a path', async () => {
    const article = await writeArticle(fixture.db);
    const names: Record<string, string> = {
      '../../etc/passwd': 'passwd',
      'C:\\cards\\charizard.png': 'charizard.png',
      'Glurak ü 🔥.svg': 'Glurak ü 🔥.svg',
      '\u202egpj.exe': 'gpj.exe',
      '..': 'Unnamed',
      ['n'.repeat(400)]: 'n'.repeat(200),
    };
    for (const [name, shown] of Object.entries(names)) {
      const media = mediaOf(
        await upload(article, fileForm('file', await createImage(), { name, type: 'text/html' })),
      );
      expect(media.originalName).toBe(shown);
      expect(media.filePath).toMatch(/^\/uploads\/[\da-f-]{36}\/64\.webp$/);
    }
  });

  test('is added last, or at the given position', async () => {
    const article = await writeArticle(fixture.db);
    const orders = [];
    for (const displayOrder of [undefined, undefined, '7', undefined, '0']) {
      const form = fileForm('file', await createImage(), displayOrder === undefined ? {} : { displayOrder });
      orders.push(mediaOf(await upload(article, form)).displayOrder);
    }
    expect(orders).toEqual([0, 1, 7, 8, 0]);
  });

  test('changes the article’s update date, and the content version if it is published', async () => {
    const draft = await writeArticle(fixture.db);
    const published = await writeArticle(fixture.db, { published: true });
    const before = await readContentVersion(fixture.db);
    mediaOf(await upload(draft, fileForm('file', await createImage())));
    expect(await readContentVersion(fixture.db)).toBe(before);
    mediaOf(await upload(published, fileForm('file', await createImage())));
    expect(await readContentVersion(fixture.db)).toBe(before + 1);
    const rows = await fixture.db
      .selectFrom('articles')
      .select(['created_at', 'updated_at'])
      .where('id', 'in', [draft, published])
      .execute();
    for (const { created_at, updated_at } of rows) expect(updated_at).not.toBe(created_at);
  });
});

describe('an image that the editor inserted into the text', () => {
  const READER = new Request('https://packwatch.example/news');
  const forText = async (fields: Record<string, string> = {}) =>
    fileForm('file', await createImage(), { placement: 'text', ...fields });

  /** The media of an article that visitors get: through the API, the article page and the cards. */
  async function seenByVisitors(id: string): Promise<{ media: Media[]; gallery: number; images: number }> {
    const { article } = (await callApi('GET', `/api/news/${id}`)).body.data as {
      article: { media: Media[] };
    };
    const page = await readArticlePage(READER, { id, viewer: null });
    const list = await listPublishedOutlines(fixture.db, { page: 1, limit: 50 });
    expect(list.articles.find((listed) => listed.id === id)?.media).toHaveLength(article.media.length);
    if (page.kind !== 'article') throw new Error(`the page is ${page.kind}`);
    return {
      media: article.media,
      gallery: page.article.gallery.length,
      images: page.facts.shareImages.filter(({ path }) => path.startsWith('/uploads/')).length,
    };
  }

  test('is public while the saved text shows it, and is never listed below the text', async () => {
    const id = await writeArticle(fixture.db, { published: true });
    const article = `/api/news/admin/articles/${id}`;
    const stamp = () =>
      fixture.db.selectFrom('articles').select('updated_at').where('id', '=', id).executeTakeFirstOrThrow();
    const [stampBefore, revisionBefore] = [await stamp(), await readContentVersion(fixture.db)];

    const { id: mediaId, ...media } = mediaOf(await upload(id, await forText()));
    expect(await stamp()).toEqual(stampBefore);
    const { clock } = serverContext();
    await changeMedia(fixture.db, { mediaId, altText: 'A tin', caption: '', actor: { userId: null }, clock });
    expect(await stamp()).toEqual(stampBefore);
    expect(await readContentVersion(fixture.db)).toBe(revisionBefore);
    expect(await seenByVisitors(id)).toEqual({ media: [], gallery: 0, images: 0 });
    const admins = (await callApi('GET', article, { token })).body.data as { article: { media: Media[] } };
    expect(admins.article.media.map((item) => item.id)).toEqual([mediaId]);

    const put = (content: string) => callApi('PUT', article, { token, body: { content } });
    await put(`<p>Look: <img src="${media.filePath}" alt="a"></p>`);
    expect(await seenByVisitors(id)).toMatchObject({ media: [{ id: mediaId }], gallery: 0, images: 1 });
    await put('<p>Nothing to look at.</p>');
    expect(await seenByVisitors(id)).toEqual({ media: [], gallery: 0, images: 0 });
    await callApi('PUT', `${article}/featured-image`, { token, body: { mediaId } });
    expect(await seenByVisitors(id)).toMatchObject({ media: [{ id: mediaId }], gallery: 0, images: 1 });
    await callApi('PUT', `${article}/featured-image`, { token, body: { mediaId: null } });

    const revision = await readContentVersion(fixture.db);
    await callApi('DELETE', `/api/news/admin/media/${mediaId}`, { token });
    expect(await readContentVersion(fixture.db)).toBe(revision);
  });

  test('cannot be a video, and has no position', async () => {
    const id = await writeArticle(fixture.db);
    const files = storedFiles();
    const uploads = await countUploads();
    const video = fileForm('file', await videoFile(), { placement: 'text' });
    for (const form of [video, await forText({ placement: 'footer' })]) {
      expect(await upload(id, form)).toMatchObject({
        status: 422,
        body: { errors: { placement: [expect.any(String)] } },
      });
    }
    await expectNothingNew(files, uploads);
  });
});

describe('a video of an article', () => {
  test.each(['mp4', 'webm'] as const)(
    'is stored unchanged, with the size that its uploader reports: %s',
    async (kind) => {
      const bytes = await videoFile({ kind });
      const form = fileForm('file', bytes, { name: 'open.mov', width: '640', height: '360' });
      const media = mediaOf(await upload(await writeArticle(fixture.db), form));
      expect(media).toMatchObject({
        mediaType: 'video',
        filePath: expect.stringMatching(new RegExp(`^/uploads/[\\da-f-]{36}/video\\.${kind}$`)),
        originalName: 'open.mov',
        fileSize: bytes.byteLength,
        width: 640,
        height: 360,
      });
      expect(readFileSync(fileOf(media.filePath)).equals(bytes)).toBe(true);
      expect(await sourcesOf(media.id)).toEqual([]);
    },
  );

  test('has no size when its uploader reports none, or only one dimension', async () => {
    const article = await writeArticle(fixture.db);
    for (const size of [{}, { width: '640' }, { height: '360' }] as Record<string, string>[])
      expect(mediaOf(await upload(article, fileForm('file', await videoFile(), size)))).toMatchObject({
        width: null,
        height: null,
      });
  });

  test.each(['0', '-1', '1.5', '16385', '99999999', 'wide', 'NaN'])(
    'cannot be %s pixels wide',
    async (width) => {
      const article = await writeArticle(fixture.db);
      const files = storedFiles();
      const uploads = await countUploads();
      expect(
        await upload(article, fileForm('file', await videoFile(), { width, height: '360' })),
      ).toMatchObject({
        status: 422,
        body: { errors: { width: [expect.stringContaining('from 1 to 16384')] } },
      });
      await expectNothingNew(files, uploads);
    },
  );

  test('alone takes its size from the uploader: the size of an image is read from the image', async () => {
    const form = fileForm('file', await createImage({ width: 64, height: 48 }), {
      width: '640',
      height: '360',
    });
    expect(mediaOf(await upload(await writeArticle(fixture.db), form))).toMatchObject({
      width: 64,
      height: 48,
    });
  });
});

/** Files that are not images or videos, whatever type they declare. */
const IMPOSTORS: [string, () => Promise<Buffer> | Buffer][] = [
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  [
    'an SVG with a prologue',
    () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PDF', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n', 'latin1')],
  ['a HEIC', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic' + '\0'.repeat(64), 'latin1')],
  ['a QuickTime video', () => Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ' + '\0'.repeat(64), 'latin1')],
  ['a TIFF', () => createImage({ type: 'tiff' })],
  ['text', () => Buffer.from('hello')],
  ['one byte', () => Buffer.from([0xff])],
];

/** Files with the signature of an image that cannot be decoded. */
const DAMAGED: [string, () => Promise<Buffer> | Buffer][] = [
  ['half a JPEG', async () => half(await createImage({ width: 800, height: 800 }))],
  ['half a PNG', async () => half(await noisy('png'))],
  ['half a WebP', async () => half(await noisy('webp'))],
  [
    'a PNG’s first bytes and HTML',
    () => Buffer.concat([PNG_START, Buffer.from('<script>alert(1)</script>')]),
  ],
];

const PNG_MARK = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PNG_START = Buffer.concat([PNG_MARK, Buffer.from('\0\0\0\rIHDR', 'latin1')]);

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2));
}

function noisy(type: 'png' | 'webp'): Promise<Buffer> {
  return sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
      background: '#000',
    },
  })
    .toFormat(type)
    .toBuffer();
}

const SIDE = 12_000;

/** A few kilobytes that decode to 144 megapixels of black. */
function bomb(): Buffer {
  const rows = deflateSync(Buffer.alloc(SIDE * (1 + SIDE / 8)));
  return Buffer.concat([
    PNG_MARK,
    pngHeader(SIDE, 1, 0),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A header that declares more pixels than fit into memory. */
function announcedBomb(): Buffer {
  return Buffer.concat([
    PNG_MARK,
    pngHeader(30_000, 8, 2),
    chunk('IDAT', Buffer.alloc(32)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Fewer pixels than a photograph may have, but 16 bits and interlaced, which is decoded in one piece. */
function deepBomb(): Buffer {
  return Buffer.concat([
    PNG_MARK,
    pngHeader(7_240, 16, 6, 1),
    chunk('IDAT', Buffer.alloc(32)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngHeader(side: number, depth: number, colour: number, interlaced: 0 | 1 = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([depth, colour, 0, 0, interlaced], 8);
  return chunk('IHDR', header);
}

/** One part of a PNG (w3.org/TR/png, "Chunk layout"). */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

describe('a rejected upload', () => {
  let article: string;
  let files: string[];
  let uploads: number;
  beforeEach(async () => {
    article = await writeArticle(fixture.db);
    files = storedFiles();
    uploads = await countUploads();
  });

  test.each(IMPOSTORS)('%s, declared as an image', async (_, make) => {
    const bytes = await make();
    expect(
      await upload(article, fileForm('file', bytes, { name: 'card.png', type: 'image/png' })),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'file_type',
        errors: { file: ['Choose a JPEG, PNG, WebP, GIF or AVIF image, or an MP4 or WebM video.'] },
      },
    });
    expect(await uploadTracking(fileForm('image', bytes, { type: 'image/png' }))).toMatchObject({
      status: 422,
      body: { message: 'Please select an image file.', errors: { image: ['Please select an image file.'] } },
    });
    await expectNothingNew(files, uploads);
  });

  test.each(DAMAGED)('%s', async (_, make) => {
    const bytes = await make();
    expect(await upload(article, fileForm('file', bytes))).toMatchObject({
      status: 422,
      body: { code: 'file_unreadable', errors: { file: [expect.stringContaining('cannot be read')] } },
    });
    expect(await uploadTracking(fileForm('image', bytes))).toMatchObject({
      status: 422,
      body: { message: 'Please select an image file.' },
    });
    await expectNothingNew(files, uploads);
  });

  test('more pixels than fit into memory, before decoding', async () => {
    for (const bytes of [announcedBomb(), bomb()]) {
      expect(bytes.byteLength).toBeLessThan(100_000);
      const spentMs = await cpuTimeOf(async () =>
        expect(await upload(article, fileForm('file', bytes))).toMatchObject({
          status: 422,
          body: { errors: { file: [expect.stringContaining('50 megapixels')] } },
        }),
      );
      expect(spentMs).toBeLessThan(2_000);
      expect(await uploadTracking(fileForm('image', bytes))).toMatchObject({
        status: 422,
        body: { errors: { image: [expect.stringContaining('50 megapixels')] } },
      });
    }
    await expectNothingNew(files, uploads);
  });

  test('more pixels than its format allows, though a photograph may have as many', async () => {
    expect(await upload(article, fileForm('file', deepBomb()))).toMatchObject({
      status: 422,
      body: { errors: { file: [expect.stringContaining('22 megapixels')] } },
    });
    await expectNothingNew(files, uploads);
    const photograph = await createImage({ width: 8_160, height: 6_144, orientation: 6 });
    expect(mediaOf(await upload(article, fileForm('file', photograph)))).toMatchObject({
      width: 1_600,
      height: 2_125,
    });
  });

  test('a video as the image of a tracking set', async () => {
    expect(await uploadTracking(fileForm('image', await videoFile()))).toMatchObject({
      status: 422,
      body: { message: 'Please select an image file.' },
    });
    await expectNothingNew(files, uploads);
  });

  test('an image of more than 10 MB, with 413; one of 10 MB is accepted', async () => {
    const most = await largeImage(10 * MEGABYTE);
    expect(most.byteLength).toBe(10 * MEGABYTE);
    const media = mediaOf(await upload(article, fileForm('file', most)));
    expect(media.width).toBe(64);
    const kept = storedFiles();
    const more = await largeImage(10 * MEGABYTE + 1);
    expect(await upload(article, fileForm('file', more))).toMatchObject({
      status: 413,
      body: { code: 'file_too_large', errors: { file: [expect.stringContaining('10 MB')] } },
    });
    await expectNothingNew(kept, uploads + 1);
  });

  test('an image of 5 MB for a tracking set, with its message; a smaller one is accepted', async () => {
    const most = await largeImage(5 * MEGABYTE - 1);
    expect((await uploadTracking(fileForm('image', most))).status).toBe(201);
    const kept = storedFiles();
    for (const bytes of [5 * MEGABYTE, 5 * MEGABYTE + 1, 30 * MEGABYTE]) {
      const sentence = 'Image file must be smaller than 5MB.';
      expect(await uploadTracking(fileForm('image', await largeImage(bytes)))).toMatchObject({
        status: 422,
        body: { message: sentence, errors: { image: [sentence] } },
      });
    }
    await expectNothingNew(kept, uploads + 1);
  });

  test('no file, an empty file, a text field instead, or two files', async () => {
    const empty = new FormData();
    empty.append('altText', 'x');
    const text = new FormData();
    text.append('file', 'not a file');
    const unchosen = fileForm('file', Buffer.alloc(0), { name: '' });
    const other = fileForm('picture', await createImage());
    for (const form of [empty, text, unchosen, other])
      expect(await upload(article, form)).toMatchObject({
        status: 422,
        body: { code: 'file_missing', errors: { file: ['Choose an image or a video to upload.'] } },
      });
    expect(await upload(article, fileForm('file', Buffer.alloc(0)))).toMatchObject({
      status: 422,
      body: { code: 'file_empty', errors: { file: ['This file is empty.'] } },
    });
    const two = fileForm('file', await createImage());
    two.append('file', new Blob([new Uint8Array(await createImage())]), 'second.jpg');
    expect(await upload(article, two)).toMatchObject({ status: 422, body: { code: 'file_count' } });
    expect(await uploadTracking(empty)).toMatchObject({
      status: 422,
      body: { errors: { image: ['Please select an image file.'] } },
    });
    await expectNothingNew(files, uploads);
  });

  test.each([
    ['an alternative text of 301 characters', 'altText', 'a'.repeat(301)],
    ['a caption of 501 characters', 'caption', 'c'.repeat(501)],
    ['an order below 0', 'displayOrder', '-1'],
    ['a fractional order', 'displayOrder', '1.5'],
    ['a non-numeric order', 'displayOrder', 'first'],
    ['an order above the maximum', 'displayOrder', '99999999999999999999'],
  ])('%s', async (_, field, value) => {
    expect(await upload(article, fileForm('file', await createImage(), { [field]: value }))).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    await expectNothingNew(files, uploads);
  });

  test('a repeated field or one with a reserved name is harmless', async () => {
    const twice = fileForm('file', await createImage(), { altText: 'one' });
    twice.append('altText', 'two');
    expect(await upload(article, twice)).toMatchObject({
      status: 422,
      body: { errors: { altText: [expect.any(String)] } },
    });
    const odd = fileForm('file', await createImage(), { constructor: 'x' });
    odd.append('__proto__', 'x');
    odd.append('toString', new Blob(['x']), 'x');
    expect(mediaOf(await upload(article, odd)).mediaType).toBe('image');
  });

  test('another content type', async () => {
    for (const path of [`/api/news/admin/articles/${article}/media`, '/api/settings/tracking-sets/upload'])
      for (const [bytes, type] of [
        ['{}', 'application/json'],
        ['a=b', 'application/x-www-form-urlencoded'],
        ['x', 'multipart/mixed; boundary=x'],
        ['x', 'image/png'],
      ] as const)
        expect(
          await callApi('POST', path, {
            token,
            bytes: Buffer.from(bytes),
            headers: { 'Content-Type': type },
          }),
        ).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    const gzip = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Encoding': 'gzip' };
    expect(
      await callApi('POST', `/api/news/admin/articles/${article}/media`, {
        token,
        bytes: Buffer.from('x'),
        headers: gzip,
      }),
    ).toMatchObject({ status: 415, body: { code: 'unsupported_content_encoding' } });
    await expectNothingNew(files, uploads);
  });

  test('an unknown article', async () => {
    expect(await upload('none', fileForm('file', await createImage()))).toMatchObject({
      status: 404,
      body: { message: 'Article Not Found' },
    });
    await expectNothingNew(files, uploads);
  });
});

describe('a malformed form', () => {
  const BOUNDARY = 'a-line-between-parts';
  const head = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
  );
  const TYPE = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

  async function refused(bytes: Uint8Array, headers: Record<string, string> = TYPE): Promise<void> {
    const article = await writeArticle(fixture.db);
    const files = storedFiles();
    const uploads = await countUploads();
    expect(
      await callApi('POST', `/api/news/admin/articles/${article}/media`, { token, bytes, headers }),
    ).toMatchObject({ status: 400, body: { success: false, code: 'malformed_upload' } });
    await expectNothingNew(files, uploads);
  }

  test('is a 400 when it is truncated anywhere', async () => {
    const image = await createImage({ width: 900, height: 900 });
    const form = Buffer.concat([head, image, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
    for (const bytes of [
      0,
      1,
      30,
      head.byteLength - 1,
      head.byteLength,
      head.byteLength + 5_000,
      form.byteLength - 6,
    ])
      await refused(form.subarray(0, bytes));
  });

  test('is a 400 without a boundary', async () => {
    await refused(head, { 'Content-Type': 'multipart/form-data' });
    await refused(head, { 'Content-Type': 'multipart/form-data; boundary=' });
    await refused(Buffer.from('no parts at all'));
  });

  test('is a 413 when a text field is too long or there are too many fields', async () => {
    const article = await writeArticle(fixture.db);
    const book = fileForm('file', await createImage(), { caption: 'x'.repeat(70_000) });
    expect(await upload(article, book)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    const many = fileForm('file', await createImage());
    for (let field = 0; field < 150; field += 1) many.append(`field${field}`, 'x');
    expect(await upload(article, many)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  test('leaves no files when the client disconnects', async () => {
    const article = await writeArticle(fixture.db);
    const files = storedFiles();
    const image = await createImage({ width: 900, height: 900 });
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent === 1) controller.enqueue(head);
        else if (sent < 5) controller.enqueue(image.subarray(0, 4_000));
        else controller.error(new Error('the sender has gone'));
      },
    });
    expect(
      await callApi('POST', `/api/news/admin/articles/${article}/media`, { token, stream, headers: TYPE }),
    ).toMatchObject({ status: 400, body: { code: 'malformed_upload' } });
    expect(storedFiles()).toEqual(files);
  });

  test('is not read when its Content-Length is too large, except to drain it', async () => {
    const article = await writeArticle(fixture.db);
    const files = storedFiles();
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(head);
        controller.close();
      },
    });
    const headers = { ...TYPE, 'Content-Length': String(201 * MEGABYTE) };
    expect(
      await callApi('POST', `/api/news/admin/articles/${article}/media`, { token, stream, headers }),
    ).toMatchObject({ status: 413, body: { code: 'file_too_large' } });
    expect(storedFiles()).toEqual(files);
  });
});

describe('streaming', () => {
  const BOUNDARY = 'a-line-between-parts';
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

  /** The bytes of the files that are being received. */
  function stagedBytes(): number {
    const folder = serverContext().storage.stagingFolder;
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  }

  /** A video followed by padding, generated while it is sent. `onRead`: called with the bytes that its reader has taken. */
  function longVideo(
    start: Buffer,
    padding: number,
    onRead = (_bytes: number) => {},
  ): ReadableStream<Uint8Array> {
    const block = new Uint8Array(MEGABYTE);
    let left = padding;
    let step: 'head' | 'video' | 'padding' | 'end' = 'head';
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (step === 'head') {
            const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`;
            controller.enqueue(Buffer.from(part));
            step = 'video';
          } else if (step === 'video') {
            controller.enqueue(start);
            step = left > 0 ? 'padding' : 'end';
          } else if (step === 'padding') {
            onRead(start.byteLength + padding - left);
            controller.enqueue(block.slice(0, Math.min(left, MEGABYTE)));
            left -= MEGABYTE;
            if (left <= 0) step = 'end';
          } else {
            controller.enqueue(Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
            controller.close();
          }
        },
      },
      { highWaterMark: 0 },
    );
  }

  test('a video of 200 MB is streamed to the disk; one byte more is a 413', async () => {
    const article = await writeArticle(fixture.db);
    const start = await videoFile();
    const padding = 200 * MEGABYTE - start.byteLength;
    const path = `/api/news/admin/articles/${article}/media`;
    // The memory that the upload takes: what was sent and is not on the disk.
    let most = 0;
    const stream = longVideo(start, padding, (sent) => {
      most = Math.max(most, sent - stagedBytes());
    });
    const media = mediaOf(await callApi('POST', path, { token, stream, headers }));
    expect(media.fileSize).toBe(200 * MEGABYTE);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(20 * MEGABYTE);
    const files = storedFiles();
    expect(
      await callApi('POST', path, { token, stream: longVideo(start, padding + 1), headers }),
    ).toMatchObject({
      status: 413,
      body: { code: 'file_too_large' },
    });
    expect(storedFiles()).toEqual(files);
    expect((await callApi('DELETE', `/api/news/admin/media/${media.id}`, { token })).status).toBe(200);
  });
});

describe('deleting', () => {
  test('removes an image from the text, and nothing else', async () => {
    const articleId = await writeArticle(fixture.db);
    const [gone, kept] = [
      mediaOf(await upload(articleId, fileForm('file', await createImage({ width: 80, height: 60 })))),
      mediaOf(await upload(articleId, fileForm('file', await createImage({ width: 80, height: 60 })))),
    ];
    const path = `/api/news/admin/articles/${articleId}`;
    const content = `<p>Before <img src="${gone.filePath}" alt="One"> after</p><p><img src="${kept.filePath}" alt="Two"></p>`;
    expect((await callApi('PUT', path, { token, body: { content } })).status).toBe(200);
    expect((await callApi('DELETE', `/api/news/admin/media/${gone.id}`, { token })).status).toBe(200);
    const { article } = (await callApi('GET', path, { token })).body.data as { article: { content: string } };
    expect(article.content).not.toContain(gone.filePath);
    expect(article.content).toContain('<p>Before  after</p>');
    expect(article.content).toContain(kept.filePath);
  });

  test.each([
    ['its own article', (article: string) => `/api/news/admin/articles/${article}`],
    ['the image', (_: string, media: string) => `/api/news/admin/media/${media}`],
  ])('%s removes an image from every text that shows it', async (_, pathOf) => {
    const owner = await writeArticle(fixture.db);
    const media = mediaOf(await upload(owner, fileForm('file', await createImage())));
    const borrower = await writeArticle(fixture.db, { published: true });
    const path = `/api/news/admin/articles/${borrower}`;
    const content = `<p>Seen <img src="${media.filePath}" alt=""> there.</p>`;
    expect((await callApi('PUT', path, { token, body: { content } })).status).toBe(200);
    const read = () =>
      fixture.db
        .selectFrom('articles')
        .select(['content', 'updated_at'])
        .where('id', '=', borrower)
        .executeTakeFirstOrThrow();
    await fixture.db
      .updateTable('articles')
      .set({ updated_at: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', borrower)
      .execute();
    const revision = await readContentVersion(fixture.db);
    expect((await callApi('DELETE', pathOf(owner, media.id), { token })).status).toBe(200);
    const after = await read();
    expect(after.content).toBe('<p>Seen  there.</p>');
    expect(after.updated_at > '2026-01-01T00:00:00.000Z').toBe(true);
    expect(await readContentVersion(fixture.db)).toBe(revision + 1);
    // A save of the text from before the deletion does not restore the image.
    const again = await callApi('PUT', path, { token, body: { content: `${content}<p>More.</p>` } });
    expect(again.body.data).toMatchObject({ article: { content: '<p>Seen  there.</p>\n<p>More.</p>' } });
  });

  test('media removes its files and the article’s featured image', async () => {
    const article = await writeArticle(fixture.db, { published: true });
    const media = mediaOf(
      await upload(article, fileForm('file', await createImage({ width: 2_000, height: 100 }))),
    );
    await fixture.db
      .updateTable('articles')
      .set({ featured_image_id: media.id })
      .where('id', '=', article)
      .execute();
    const uploadId = uploadIdOf(media.filePath) ?? '';
    // Four widths and the share image.
    expect(storedFiles().filter((path) => path.startsWith(uploadId))).toHaveLength(5);
    const before = await readContentVersion(fixture.db);

    const path = `/api/news/admin/media/${media.id}`;
    expect(await callApi('DELETE', path, { token })).toMatchObject({
      status: 200,
      body: { success: true, data: {} },
    });
    expect(storedFiles().filter((file) => file.startsWith(uploadId))).toEqual([]);
    expect(await readContentVersion(fixture.db)).toBe(before + 1);
    const row = await fixture.db
      .selectFrom('articles')
      .select('featured_image_id')
      .where('id', '=', article)
      .executeTakeFirstOrThrow();
    expect(row.featured_image_id).toBeNull();
    expect(await fixture.db.selectFrom('uploads').select('id').where('id', '=', uploadId).execute()).toEqual(
      [],
    );
    expect((await callApi('DELETE', path, { token })).status).toBe(404);
  });
});
