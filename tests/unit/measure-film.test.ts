import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SECOND } from '#shared/clock';
import { FilmRefused, measureFilm } from '#shared/storage/measure-film.server';
import { film } from '../integration/media-world';

const folder = mkdtempSync(join(tmpdir(), 'packwatch-films-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function stored(bytes: Uint8Array): string {
  const path = join(folder, 'film');
  writeFileSync(path, bytes);
  return path;
}

/** A box of an MP4: size, name, content (ISO/IEC 14496-12, 4.2). */
function box(name: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8, name, 'latin1');
  head.writeUInt32BE(body.byteLength + 8);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function repeated(part: Uint8Array, times: number): Buffer {
  return Buffer.alloc(part.byteLength * times, part);
}

function mp4(...moov: Uint8Array[]): Buffer {
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isommp41', 'latin1')), box('moov', ...moov)]);
}

/** An element of a WebM with a size of eight bytes (RFC 8794, section 5). */
function element(id: string, content: Uint8Array): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(content.byteLength) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

/** Its index names many indexes, each of which is looked for among all that were named. */
function webmOfIndexes(count: number): Buffer {
  const empty = Buffer.from('114d9b7480', 'hex');
  const cluster = element('1f43b675', Buffer.alloc(0));
  const entry = Buffer.from('4dbb8e53ab84114d9b7453ac84ffffffff', 'hex');
  const entries = repeated(entry, count);
  const first = element('114d9b74', entries).byteLength + cluster.byteLength;
  for (let number = 0; number < count; number += 1)
    entries.writeUInt32BE(first + number * empty.byteLength, (number + 1) * entry.byteLength - 4);
  const content = Buffer.concat([element('114d9b74', entries), cluster, repeated(empty, count)]);
  const type = element('4282', Buffer.from('webm'));
  return Buffer.concat([element('1a45dfa3', type), element('18538067', content)]);
}

const HOSTILE: [string, () => Buffer][] = [
  // Ended the web process once, with 4.5 million of them in 144 MB.
  ['an index of 16 MB', () => mp4(box('mvex', repeated(box('trex', Buffer.alloc(24)), 500_000)))],
  ['a million tracks', () => mp4(repeated(box('trak'), 1_000_000))],
  ['boxes in boxes in boxes', () => nested(20_000)],
  ['indexes without an end', () => webmOfIndexes(250_000)],
];

function nested(depth: number): Buffer {
  const heads = Buffer.alloc(8 * depth, box('trak'));
  for (let level = 0; level < depth; level += 1) heads.writeUInt32BE(8 * (depth - level), 8 * level);
  return mp4(heads);
}

describe('a film', () => {
  test.each(['mp4', 'webm'] as const)('is measured: %s', async (kind) => {
    expect(await measureFilm(stored(await film({ kind, width: 1280, height: 544 })))).toEqual({
      width: 1280,
      height: 544,
    });
  });

  test('is measured behind a long index', async () => {
    const whole = await film({ kind: 'mp4', width: 640, height: 360 });
    const long = box('free', Buffer.alloc(6_000_000));
    const moov = whole.indexOf('moov', 0, 'latin1') - 4;
    const size = whole.readUInt32BE(moov);
    const longer = Buffer.concat([whole.subarray(0, moov + size), long, whole.subarray(moov + size)]);
    longer.writeUInt32BE(size + long.byteLength, moov);
    expect(await measureFilm(stored(longer))).toEqual({ width: 640, height: 360 });
  });

  test.each(HOSTILE)('is refused, and everything else goes on meanwhile: %s', async (_, bytes) => {
    const path = stored(bytes());
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    const before = process.memoryUsage().heapUsed;
    await expect(measureFilm(path, { limitMs: 2 * SECOND })).rejects.toBeInstanceOf(FilmRefused);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(0);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 1024 * 1024);
  });

  test('is refused when it is text', async () => {
    await expect(measureFilm(stored(Buffer.from('hello')))).rejects.toBeInstanceOf(FilmRefused);
  });
});
