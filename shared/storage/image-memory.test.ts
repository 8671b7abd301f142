import type { Metadata } from 'sharp';
import { expect, test } from 'vitest';
import { maxMegapixels } from './image-memory';

const PHOTOGRAPH = { format: 'jpeg', channels: 3, depth: 'uchar', isProgressive: false } as Metadata;

const KINDS: [string, Partial<Metadata>, number][] = [
  ['a photograph as cameras write it', {}, 50],
  ['one that lies on its side', { orientation: 6 }, 50],
  ['a progressive one', { isProgressive: true, chromaSubsampling: '4:2:0' }, 50],
  ['a progressive one with all its colour', { isProgressive: true, chromaSubsampling: '4:4:4' }, 40],
  ['a progressive one for print', { isProgressive: true, channels: 4, chromaSubsampling: '4:4:4:4' }, 30],
  ['a PNG', { format: 'png', channels: 4 }, 50],
  ['a deep PNG', { format: 'png', channels: 4, depth: 'ushort' }, 50],
  ['an interlaced PNG', { format: 'png', channels: 4, isProgressive: true }, 44],
  // 7240 pixels on each side took 823 MB once.
  ['a deep, interlaced one', { format: 'png', channels: 4, depth: 'ushort', isProgressive: true }, 22],
  ['a deep one that is turned', { format: 'png', channels: 4, depth: 'ushort', orientation: 6 }, 10],
  ['a WebP', { format: 'webp', channels: 4 }, 48],
  ['an AVIF', { format: 'heif', channels: 3 }, 12],
  ['a deep AVIF', { format: 'heif', channels: 3, depth: 'ushort' }, 7],
];

test.each(KINDS)('the pixel limit bounds the memory of decoding: %s', (_, kind, megapixels) => {
  expect(maxMegapixels({ ...PHOTOGRAPH, ...kind })).toBe(megapixels);
});
