import type { Metadata } from 'sharp';
import { expect, test } from 'vitest';
import { maxMegapixels } from './image-memory';

const PHOTOGRAPH = { format: 'jpeg', channels: 3, depth: 'uchar', isProgressive: false } as Metadata;

const KINDS: [string, Partial<Metadata>, number][] = [
  ['a photograph of a camera', {}, 50],
  ['a rotated one', { orientation: 6 }, 50],
  ['a progressive one', { isProgressive: true, chromaSubsampling: '4:2:0' }, 50],
  ['a progressive one without chroma subsampling', { isProgressive: true, chromaSubsampling: '4:4:4' }, 40],
  ['a progressive one for print', { isProgressive: true, channels: 4, chromaSubsampling: '4:4:4:4' }, 30],
  ['a PNG', { format: 'png', channels: 4 }, 50],
  ['a 16-bit PNG', { format: 'png', channels: 4, depth: 'ushort' }, 50],
  ['an interlaced PNG', { format: 'png', channels: 4, isProgressive: true }, 44],
  // 7240 by 7240 pixels used to take 823 MB.
  ['a 16-bit, interlaced one', { format: 'png', channels: 4, depth: 'ushort', isProgressive: true }, 22],
  ['a rotated 16-bit one', { format: 'png', channels: 4, depth: 'ushort', orientation: 6 }, 10],
  ['a WebP', { format: 'webp', channels: 4 }, 48],
  ['an AVIF', { format: 'heif', channels: 3 }, 12],
  ['a high bit depth AVIF', { format: 'heif', channels: 3, depth: 'ushort' }, 7],
];

test.each(KINDS)('the pixel limit bounds the memory of decoding: %s', (_, kind, megapixels) => {
  expect(maxMegapixels({ ...PHOTOGRAPH, ...kind })).toBe(megapixels);
});
