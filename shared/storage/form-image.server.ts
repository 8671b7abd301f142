import pLimit from 'p-limit';
import sharp, { type Metadata } from 'sharp';
import { SECOND } from '../clock';
import { formWidths } from './image-forms';

/** As cameras count them: those of 50 have a few more. */
const MEGAPIXEL = 1024 * 1024;
const MEGAPIXELS_TAKEN = 50;
/** Its decoder holds some twenty bytes for each pixel, others a few: 50 megapixels took 1.1 GB. */
const AVIF_MEGAPIXELS_TAKEN = 16;
/** WebP knows none taller (developers.google.com/speed/webp/docs/api). */
const TALLEST = 16_383;
const DECODING_LIMIT_MS = 60 * SECOND;
const QUALITY = 80;

/** One picture at a time in each process, so that the memory that decoding takes has a bound. */
const oneAtATime = pLimit(1);

/** An image that cannot become one of ours, with the sentence for people. */
export class ImageRefused extends Error {
  readonly reason: 'unreadable' | 'too_many_pixels';

  constructor(reason: ImageRefused['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImageRefused';
    this.reason = reason;
  }
}

function unreadable(cause: unknown): ImageRefused {
  return new ImageRefused('unreadable', 'This image cannot be read. It may be damaged.', cause);
}

/** One form of an image: WebP, upright, in sRGB, without metadata. */
export interface ImageForm {
  width: number;
  height: number;
  bytes: Uint8Array;
}

function open(path: string) {
  return sharp(path, {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: MEGAPIXELS_TAKEN * MEGAPIXEL,
    sequentialRead: true,
  });
}

/** Looks at an image's header only. Throws `ImageRefused` before a single pixel of too many is decoded. */
async function naturalWidth(path: string): Promise<number> {
  let metadata: Metadata;
  try {
    // Without sharp's own limit, so that too many pixels and a broken header can be told apart.
    metadata = await sharp(path, { failOn: 'error', limitInputPixels: false }).metadata();
  } catch (error) {
    throw unreadable(error);
  }
  const most = metadata.format === 'heif' ? AVIF_MEGAPIXELS_TAKEN : MEGAPIXELS_TAKEN;
  if (metadata.width * metadata.height > most * MEGAPIXEL)
    throw new ImageRefused(
      'too_many_pixels',
      `This image has too many pixels. At most ${most} megapixels are taken.`,
    );
  return metadata.autoOrient.width;
}

async function form(path: string, width: number): Promise<ImageForm> {
  try {
    const { data, info } = await open(path)
      .resize({ width, height: TALLEST, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .timeout({ seconds: DECODING_LIMIT_MS / SECOND })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, bytes: data };
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * Decodes an image and hands its forms to `take` one by one, the narrowest first. Of an animation its first frame
 * is kept: decoding every frame would take memory without a bound. Throws `ImageRefused`.
 */
export function formImage(path: string, take: (form: ImageForm) => Promise<void>): Promise<void> {
  return oneAtATime(async () => {
    // Every file is seen once: keeping decoded ones would only hold memory.
    sharp.cache(false);
    sharp.concurrency(1);
    for (const width of formWidths(await naturalWidth(path))) await take(await form(path, width));
  });
}
