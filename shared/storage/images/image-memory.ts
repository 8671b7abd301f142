import type { Metadata } from 'sharp';

/** Slightly more than a million: a 50-megapixel camera produces slightly more than 50 million pixels. */
export const MEGAPIXEL = 1024 * 1024;
export const MAX_MEGAPIXELS = 50;
/** The memory that a decoder may use. The site shares a machine of 1 GB with the daemon. */
const MAX_DECODER_MEGABYTES = 240;

/**
 * Bytes of memory that the decoder needs per pixel, as measured. 0 if it decodes line by line or shrinks on load, as for
 * baseline JPEGs.
 */
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
