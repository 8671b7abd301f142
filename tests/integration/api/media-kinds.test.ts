import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Mp4OutputFormat, Output } from 'mediabunny';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi, createApiFixture, type ApiFixture, type ApiResponse } from './api-fixture';
import { createImage, fileForm, storedFiles, videoFile, writeArticle } from '../uploads/media-fixture';

let fixture: ApiFixture;
let token: string;
let article: string;
beforeAll(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
  article = await writeArticle(fixture.db);
});
afterAll(() => fixture.cleanup());

const stored = (name: string) => readFileSync(new URL(`../../fixtures/media/${name}`, import.meta.url));

function upload(bytes: Uint8Array): Promise<ApiResponse> {
  return callApi('POST', `/api/news/admin/articles/${article}/media`, {
    token,
    form: fileForm('file', bytes, { name: 'file' }),
  });
}

/** A `ftyp` box with these brands, the major brand first. */
function fileTypeBox(brands: readonly string[]): Buffer {
  const [major = '', ...others] = brands;
  const box = Buffer.from(`\0\0\0\0ftyp${major}\0\0\0\0${others.join('')}`, 'latin1');
  box.writeUInt32BE(box.byteLength);
  return box;
}

/** A file with another `ftyp` box of the same length. */
function withBrands(file: Buffer, brands: readonly string[]): Buffer {
  const size = file.readUInt32BE(0);
  const box = fileTypeBox([...brands, ...Array<string>(20).fill('isom')]).subarray(0, size);
  box.writeUInt32BE(size);
  return Buffer.concat([box, file.subarray(size)]);
}

/** An MP4 with a sound and no picture. */
async function soundFile(): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  await source.add(new EncodedPacket(new Uint8Array(50), 'key', 0, 0.02), {
    decoderConfig: { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000 },
  });
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

const replaced = (file: Buffer, from: string, to: string) =>
  Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1');

async function animatedPng(): Promise<Buffer> {
  const png = await createImage({ type: 'png' });
  // After IHDR: one frame, for ever (w3.org/TR/png-3, "acTL"). Decoders do not check the sum of a chunk that they skip.
  const control = Buffer.from('\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  return Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
}

describe('a variant of an accepted format', () => {
  test.each<[string, 'image' | 'video', () => Buffer | Promise<Buffer>]>([
    ['an AVIF that names HEIF first', 'image', () => stored('mif1-brand.avif')],
    ['an AVIF that names MIAF first', 'image', () => stored('miaf-brand.avif')],
    [
      'an AVIF sequence',
      'image',
      async () => withBrands(await createImage({ type: 'avif' }), ['avis', 'avif', 'mif1', 'miaf']),
    ],
    ['an animated PNG', 'image', animatedPng],
    [
      'a progressive JPEG',
      'image',
      async () =>
        sharp(await createImage())
          .jpeg({ progressive: true })
          .toBuffer(),
    ],
    [
      'a JPEG in CMYK',
      'image',
      async () =>
        sharp(await createImage())
          .toColourspace('cmyk')
          .jpeg()
          .toBuffer(),
    ],
    ['an M4V', 'video', () => stored('m4v-brand.mp4')],
    ['a 3GP', 'video', async () => withBrands(await videoFile(), ['3gp5'])],
    ['a 3G2', 'video', async () => withBrands(await videoFile(), ['3g2a'])],
    [
      'a QuickTime file that is an MP4, too',
      'video',
      async () => withBrands(await videoFile(), ['qt  ', 'mp42']),
    ],
  ])('is accepted: %s', async (_what, mediaType, make) => {
    const { status, body } = await upload(await make());
    expect([status, body]).toMatchObject([201, { data: { media: { mediaType } } }]);
    expect((body.data as { media: { filePath: string } }).media.filePath).toMatch(
      mediaType === 'image' ? /\.webp$/ : /\/video\.mp4$/,
    );
  });
});

describe('a file that no browser shows', () => {
  const heic = (major: string, ...others: string[]) =>
    Buffer.concat([fileTypeBox([major, ...others]), Buffer.alloc(64)]);

  test.each<[string, Buffer]>([
    ['a HEIC', heic('heic', 'mif1')],
    ['a HEIC with the brand of a tile', heic('heim', 'mif1')],
    ['a HEIC with the brand of a sequence', heic('hevm', 'msf1')],
    ['a HEIC that names a video brand first', heic('isom', 'mif1', 'heic')],
    ['a HEIF', heic('mif1', 'miaf', 'heic')],
    ['a VVC image', heic('vvic', 'mif1')],
    ['a camera raw', heic('crx ', 'isom')],
  ])('is refused as its type: %s', async (_what, bytes) => {
    const before = storedFiles();
    expect(await upload(bytes)).toMatchObject({ status: 422, body: { code: 'file_type' } });
    expect(storedFiles()).toEqual(before);
  });

  test.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
    ['sound alone', /no video track/, soundFile],
    ['sound alone as M4A', /no video track/, async () => withBrands(await soundFile(), ['M4A '])],
    ['an MP4 without content', /no video track|cannot be read/, () => fileTypeBox(['isom', 'mp42'])],
    [
      'a 3GP with H.263',
      /Browsers cannot play/,
      async () => replaced(withBrands(await videoFile(), ['3gp4']), 'vp09', 's263'),
    ],
    [
      'a WebM with an unknown codec',
      /Browsers cannot play/,
      async () => replaced(await videoFile({ kind: 'webm' }), 'V_VP9', 'V_XY9'),
    ],
  ])('is refused as a video: %s', async (_what, sentence, make) => {
    const before = storedFiles();
    expect(await upload(await make())).toMatchObject({
      status: 422,
      body: { code: 'file_unreadable', errors: { file: [expect.stringMatching(sentence)] } },
    });
    expect(storedFiles()).toEqual(before);
  });
});
