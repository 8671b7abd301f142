import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ANIMATION_LIMITS, isKeptAnimation, readAnimation } from './animation';

const stored = (name: string) =>
  readFileSync(new URL(`../../../tests/fixtures/media/${name}`, import.meta.url));

test.each(['animated.gif', 'animated.webp'])('the frames of %s are counted', (name) => {
  expect(readAnimation(stored(name))).toEqual({ frames: 3, width: 80, height: 60 });
});

test('a still image is no animation', async () => {
  const image = sharp({ create: { width: 40, height: 40, channels: 3, background: '#c81e5a' } });
  for (const type of ['gif', 'webp', 'png', 'jpeg', 'avif'] as const)
    expect(readAnimation(await image.clone().toFormat(type).toBuffer())).toBeNull();
  expect(readAnimation(new Uint8Array())).toBeNull();
});

test('animations of other formats have no number of frames that is kept', async () => {
  const image = sharp({ create: { width: 40, height: 40, channels: 3, background: '#c81e5a' } });
  const png = await image.png().toBuffer();
  const control = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1');
  const apng = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
  const sequence = Buffer.concat([
    Buffer.from('\0\0\0\x18ftypavis\0\0\0\0avismsf1', 'latin1'),
    Buffer.alloc(40),
  ]);
  for (const bytes of [apng, sequence]) {
    const animation = readAnimation(bytes);
    expect(animation?.frames).toBe(Infinity);
    expect(animation !== null && isKeptAnimation(animation, bytes.byteLength)).toBe(false);
  }
});

test('a damaged animation is read to its end', () => {
  for (const name of ['animated.gif', 'animated.webp'])
    for (const byte of [0, 255])
      for (let at = 0; at < stored(name).byteLength; at += 1) {
        const damaged = Buffer.from(stored(name));
        damaged[at] = byte;
        expect(() => readAnimation(damaged.subarray(0, damaged.byteLength - (at % 3)))).not.toThrow();
      }
});

test('frames, bytes and pixels are bounded', () => {
  const animation = { frames: 12, width: 1000, height: 1000 };
  expect(isKeptAnimation(animation, ANIMATION_LIMITS.bytes)).toBe(true);
  expect(isKeptAnimation(animation, ANIMATION_LIMITS.bytes + 1)).toBe(false);
  expect(isKeptAnimation({ ...animation, frames: 13 }, 1)).toBe(false);
  expect(isKeptAnimation({ frames: 101, width: 1, height: 1 }, 1)).toBe(false);
  expect(isKeptAnimation({ frames: 1, width: 1, height: 1 }, 1)).toBe(false);
});
