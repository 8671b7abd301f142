import type { Metadata } from 'sharp';

/** As cameras count them: those of 50 have a few more. */
export const MEGAPIXEL = 1024 * 1024;
export const MEGAPIXELS_TAKEN = 50;
/** What a decoder may hold of an image. The site shares a machine of 1 GB with the daemon. */
const HELD_MEGABYTES_TAKEN = 240;

/**
 * About how many bytes its decoder holds for each pixel of an image, as measured; 0 when it reads line by line or
 * shrinks while it reads, as of photographs as cameras write them.
 */
function heldBytes({ format, channels, depth, isProgressive, orientation = 1, ...more }: Metadata): number {
  const deep = depth !== 'uchar';
  const pixel = channels * (deep ? 2 : 1);
  switch (format) {
    case 'jpeg':
      // All coefficients until the last scan: two bytes for each sample (libjpeg-turbo's libjpeg.txt, "Buffered-image
      // mode").
      return isProgressive ? 2 * (more.chromaSubsampling === '4:2:0' ? 1.5 : channels) : 0;
    case 'png':
      // Seven passes over the whole picture, and a picture that is turned by 90 degrees is read across its lines.
      return (isProgressive ? 1.35 * pixel : 0) + (orientation > 4 ? 3 * pixel : 0);
    case 'heif':
      return deep ? 34 : 20;
    default:
      // WebP and GIF: a canvas with four channels.
      return 5;
  }
}

/** The most megapixels that are taken of images like this one, told by its header. */
export function megapixelsTaken(metadata: Metadata): number {
  const held = heldBytes(metadata);
  return held === 0 ? MEGAPIXELS_TAKEN : Math.min(MEGAPIXELS_TAKEN, Math.floor(HELD_MEGABYTES_TAKEN / held));
}
