import { MINUTE, SECOND } from '../../clock';
import type { FileStorage } from '../storage';
import { uploadPath } from '../upload-path';
import { oneAtATime } from './image-variants.server';
import { loadSharp } from './sharp.server';
import { SHARE_IMAGE_NAME } from './variant-names';

// LinkedIn and WhatsApp show no WebP, and mail that is made of a feed none either.

export const SHARE_IMAGE_TYPE = 'image/jpeg';

/** WhatsApp shows no picture much larger. */
const MAX_BYTES = 300_000;

/**
 * Tried in order until the file is small enough; 1200 pixels is the width that Facebook and Google recommend. The last
 * always is: half a byte for each pixel is more than noise takes.
 */
const ATTEMPTS = [
  { width: 1200, quality: 80 },
  { width: 1200, quality: 60 },
  { width: 1200, quality: 40 },
  { width: 800, quality: 40 },
  { width: 480, quality: 40 },
] as const;

/** A stored JPEG of an image for link previews and feeds. */
export interface StoredShareImage {
  /** `/uploads/…` */
  path: string;
  width: number;
  height: number;
  /** Bytes. */
  fileSize: number;
}

/**
 * Makes a progressive JPEG of an image's largest variant: 1200 pixels wide unless the image is narrower or more than
 * twice as tall as wide, at most 300 KB, transparent parts white, of an animation the first frame. Throws when the bytes cannot be decoded.
 */
function makeShareImage(variant: Uint8Array): Promise<{ data: Buffer; width: number; height: number }> {
  return oneAtATime(async () => {
    const sharp = await loadSharp();
    const image = sharp(variant, { failOn: 'error', sequentialRead: true }).flatten({ background: '#fff' });
    for (const { width, quality } of ATTEMPTS) {
      const { data, info } = await image
        .clone()
        .resize({ width, height: 2 * width, fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality, progressive: true })
        .timeout({ seconds: MINUTE / SECOND })
        .toBuffer({ resolveWithObject: true });
      if (data.byteLength <= MAX_BYTES) return { data, width: info.width, height: info.height };
    }
    throw new Error(`an image has no share image of at most ${MAX_BYTES} bytes`);
  });
}

/** Makes and stores the share image of an upload from the bytes of its largest variant. Throws `Unavailable`. */
export async function storeShareImage(
  storage: FileStorage,
  uploadId: string,
  variant: Uint8Array,
): Promise<StoredShareImage> {
  const { data, width, height } = await makeShareImage(variant);
  await storage.put(uploadId, SHARE_IMAGE_NAME, data);
  return { path: uploadPath(uploadId, SHARE_IMAGE_NAME), width, height, fileSize: data.byteLength };
}
