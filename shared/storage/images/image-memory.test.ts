import type { Metadata } from 'sharp';
import { expect, test } from 'vitest';
import { maxMegapixels } from './image-variants.server';

const PHOTOGRAPH = { format: 'jpeg', channels: 3, depth: 'uchar', isProgressive: false } as Metadata;

const CASES: [string, Partial<Metadata>, number][] = [
  ['a baseline JPEG', {}, 50],
  ['a rotated JPEG', { orientation: 6 }, 50],
  ['a progressive JPEG', { isProgressive: true, chromaSubsampling: '4:2:0' }, 50],
  ['a progressive JPEG without chroma subsampling', { isProgressive: true, chromaSubsampling: '4:4:4' }, 40],
  ['a progressive CMYK JPEG', { isProgressive: true, channels: 4, chromaSubsampling: '4:4:4:4' }, 30],
  ['a PNG', { format: 'png', channels: 4 }, 50],
  ['a 16-bit PNG', { format: 'png', channels: 4, depth: 'ushort' }, 50],
  ['an interlaced PNG', { format: 'png', channels: 4, isProgressive: true }, 44],
  // 7240 by 7240 pixels used to take 823 MB.
  ['an interlaced 16-bit PNG', { format: 'png', channels: 4, depth: 'ushort', isProgressive: true }, 22],
  ['a rotated 16-bit PNG', { format: 'png', channels: 4, depth: 'ushort', orientation: 6 }, 10],
  ['a WebP', { format: 'webp', channels: 4 }, 48],
  ['an AVIF', { format: 'heif', channels: 3 }, 12],
  ['a high bit depth AVIF', { format: 'heif', channels: 3, depth: 'ushort' }, 7],
];

test.each(CASES)('the pixel limit bounds the memory of decoding: %s', (_, kind, megapixels) => {
  expect(maxMegapixels({ ...PHOTOGRAPH, ...kind })).toBe(megapixels);
});
