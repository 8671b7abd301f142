import { open, readFile, stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { Metadata } from 'sharp';
import { SECOND } from '../../clock';
import { withAvifBrand } from '../media-type.server';
import { isKeptAnimation } from './animation';
import { loadSharp } from './sharp.server';
import { variantWidths } from './variant-names';

/** Slightly more than a million: a 50-megapixel camera produces slightly more than 50 million pixels. */
const MEGAPIXEL = 1024 * 1024;
const MAX_MEGAPIXELS = 50;
/** The memory that a decoder may use. The site shares a machine of 1 GB with the daemon. */
const MAX_DECODER_MEGABYTES = 240;

/** Bytes of memory that the decoder needs per pixel, as measured; 0 if by line, or shrinking on load (baseline JPEGs). */
function bytesPerPixel({
  format,
  channels,
  depth,
  isProgressive,
  orientation = 1,
  ...more
}: Metadata): number {
  const highDepth = depth !== 'uchar';
  const sampleBytes = channels * (highDepth ? 2 : 1);
  switch (format) {
    case 'jpeg':
      // All coefficients until the last scan: two bytes for each sample (libjpeg-turbo's libjpeg.txt, "Buffered-image
      // mode").
      return isProgressive ? 2 * (more.chromaSubsampling === '4:2:0' ? 1.5 : channels) : 0;
    case 'png':
      // Interlaced: seven passes over the whole image. Rotated by 90 degrees: read across its lines.
      return (isProgressive ? 1.35 * sampleBytes : 0) + (orientation > 4 ? 3 * sampleBytes : 0);
    case 'heif':
      return highDepth ? 34 : 20;
    default:
      // WebP and GIF: a canvas with four channels.
      return 5;
  }
}

/** The largest accepted number of megapixels for images with this header. */
export function maxMegapixels(metadata: Metadata): number {
  const bytes = bytesPerPixel(metadata);
  return bytes === 0 ? MAX_MEGAPIXELS : Math.min(MAX_MEGAPIXELS, Math.floor(MAX_DECODER_MEGABYTES / bytes));
}

/** Taller images are scaled down: WebP allows at most 16,383 pixels, and a variant is encoded in memory. */
const MAX_HEIGHT = 8_192;
const DECODING_LIMIT_MS = 60 * SECOND;
const QUALITY = 80;

/** Each process decodes one image at a time, to bound the memory. */
export const oneAtATime = pLimit(1);

/** An image that cannot be accepted, with a sentence for people. */
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

/** One variant of an image: WebP, upright, in sRGB, without metadata. */
export interface ImageVariant {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** What sharp opens: a path, or the bytes of a file that libvips does not recognise as it is. */
type ImageSource = string | Buffer;

const HEAD_BYTES = 1_024;

/** Reads a whole file only if its bytes must be changed. The rules of file fields bound images to a few megabytes. */
async function sourceOf(path: string): Promise<ImageSource> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (withAvifBrand(buffer.subarray(0, bytesRead)) === null) return path;
  } finally {
    await file.close();
  }
  return withAvifBrand(await readFile(path)) ?? path;
}

async function makeVariant(
  source: ImageSource,
  { width, animated }: { width: number; animated: boolean },
): Promise<ImageVariant> {
  const sharp = await loadSharp();
  const image = sharp(source, {
    animated,
    // An animation with an orientation is not opened as one.
    autoOrient: !animated,
    failOn: 'error',
    limitInputPixels: MAX_MEGAPIXELS * MEGAPIXEL,
    sequentialRead: true,
  });
  try {
    const { data, info } = await image
      .resize({ width, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .timeout({ seconds: DECODING_LIMIT_MS / SECOND })
      .toBuffer({ resolveWithObject: true });
    // The height of an animation is that of all its frames together.
    return { width: info.width, height: info.pageHeight ?? info.height, bytes: data };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Reads how wide an image can be stored, and whether it stays an animation. Throws `ImageRefused` for too many pixels before decoding. */
async function readHeader(source: ImageSource): Promise<{ width: number; small: boolean }> {
  const sharp = await loadSharp();
  let metadata: Metadata;
  try {
    // Without sharp's limit, to distinguish too many pixels from a broken header.
    metadata = await sharp(source, { failOn: 'error', limitInputPixels: false }).metadata();
  } catch (error) {
    throw unreadable(error);
  }
  const limit = maxMegapixels(metadata);
  if (metadata.width * metadata.height > limit * MEGAPIXEL)
    throw new ImageRefused(
      'too_many_pixels',
      `This image has too many pixels. The limit is ${limit} megapixels.`,
    );
  const { format, pages = 1, width, height, orientation = 1 } = metadata;
  const bytes = typeof source === 'string' ? (await stat(source)).size : source.byteLength;
  const upright = metadata.autoOrient;
  return {
    width: Math.min(upright.width, Math.ceil((upright.width * MAX_HEIGHT) / upright.height)),
    small:
      (format === 'gif' || format === 'webp') &&
      orientation === 1 &&
      isKeptAnimation({ frames: pages, width, height }, bytes),
  };
}

/**
 * Decodes an image and passes its variants to `onVariant` one by one, narrowest first. Keeps only the first frame of an
 * animation, to bound the memory, unless `animated` is set and the animation is small. Throws `ImageRefused`.
 */
export function makeVariants(
  path: string,
  { animated, onVariant }: { animated: boolean; onVariant: (variant: ImageVariant) => Promise<void> },
): Promise<void> {
  return oneAtATime(async () => {
    let lastWidth = 0;
    const source = await sourceOf(path);
    const header = await readHeader(source);
    for (const width of variantWidths(header.width)) {
      const variant = await makeVariant(source, { width, animated: animated && header.small });
      // The height limit of a tall image can round its width down to the one before.
      if (variant.width === lastWidth) continue;
      lastWidth = variant.width;
      await onVariant(variant);
    }
  });
}
