import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../ids';
import { createDiskStorage } from '../disk-storage.server';
import { storeImage } from './store-image.server';
import { variantsOf } from './variant-names';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-variants-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// The last ones exceed the height limit of WebP, and become narrower.
test.each([
  [300, 200],
  [480, 300],
  [481, 300],
  [960, 700],
  [1600, 900],
  [2400, 1200],
  [100, 17_000],
  [500, 17_000],
  [999, 17_000],
])('the largest variant of an image of %i by %i determines the others', async (width, height) => {
  const path = join(folder, 'image.png');
  await sharp({ create: { width, height, channels: 3, background: '#4f46e5' } })
    .png()
    .toFile(path);
  const { sources, largest } = await storeImage(createDiskStorage(join(folder, 'uploads')), newId(), {
    path,
  });
  const stored = new Map(sources.map((source) => [source.path, source.width]));
  expect(variantsOf(largest.path)).toEqual([...stored].map(([path, width]) => ({ path, width })));
});

test.each([
  '/share.png',
  '/uploads/a/video.mp4',
  '/uploads/a/0.webp',
  'https://evil.example/uploads/a/480.webp',
  '',
])('%j is not the name of a variant', (path) => expect(variantsOf(path)).toEqual([]));
