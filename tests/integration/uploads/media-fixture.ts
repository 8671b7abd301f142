import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { newId } from '#shared/ids';
import { uploadsFolder } from '#shared/storage/disk-storage.server';
import { serverContext } from '~/http/server/context.server';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

interface ImageOptions {
  width?: number;
  height?: number;
  type?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';
  /** EXIF orientation 6: rotated by 90 degrees. */
  orientation?: number;
}

/** An image of one colour, with a camera's name and location in its metadata if its format has any. */
export async function createImage({
  width = 64,
  height = 48,
  type = 'jpeg',
  orientation,
}: ImageOptions = {}): Promise<Buffer> {
  const plain = sharp({ create: { width, height, channels: 3, background: '#c81e5a' } });
  return plain
    .withExif({ IFD0: { Make: 'Silph Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata(orientation === undefined ? {} : { orientation })
    .toFormat(type)
    .toBuffer();
}

/** A JPEG of about this many bytes, all of them needed. */
export async function largeImage(bytes: number): Promise<Buffer> {
  const small = await createImage();
  // Comment segments of at most 64 KB, after the two bytes that every JPEG begins with.
  const comments: Buffer[] = [];
  for (let left = bytes - small.byteLength; left > 0;) {
    const size = Math.min(65_537, Math.max(left, 4));
    const segment = Buffer.alloc(size, 0x20);
    segment.writeUInt16BE(0xfffe, 0);
    segment.writeUInt16BE(size - 2, 2);
    comments.push(segment);
    left -= size;
  }
  return Buffer.concat([small.subarray(0, 2), ...comments, small.subarray(2)]);
}

interface VideoOptions {
  kind?: 'mp4' | 'webm';
  width?: number;
  height?: number;
}

/** A video file with valid metadata and frames that no player can decode. */
export async function videoFile({
  kind = 'mp4',
  width = 640,
  height = 360,
}: VideoOptions = {}): Promise<Buffer> {
  const target = new BufferTarget();
  const format = kind === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat();
  const output = new Output({ format, target });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source, { frameRate: 25 });
  await output.start();
  const config = { codec: 'vp09.00.31.08', codedWidth: width, codedHeight: height };
  for (let frame = 0; frame < 5; frame += 1)
    await source.add(new EncodedPacket(new Uint8Array(500).fill(frame), 'key', frame / 25, 1 / 25), {
      decoderConfig: config,
    });
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

/** A form with one file, as a browser sends it. */
export function fileForm(
  field: string,
  bytes: Uint8Array,
  { name = 'card.jpg', type = 'image/jpeg', ...fields }: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}

/** Every file of the uploads folder, by its path in it. */
export function storedFiles(root = uploadsFolder(serverContext().config.dataDir)): string[] {
  try {
    return (readdirSync(root, { recursive: true }) as string[])
      .filter((path) => statSync(join(root, path)).isFile())
      .sort();
  } catch {
    return [];
  }
}

/** Writes an article straight into the database. Returns its id. */
export async function writeArticle(db: Database, { published = false } = {}): Promise<string> {
  const id = newId();
  const now = toIso(NOON);
  await db
    .insertInto('articles')
    .values({
      id,
      title: 'A new set',
      content: '<p>It is here.</p>',
      excerpt: null,
      summary: 'It is here.',
      read_time_minutes: 1,
      published: published ? 1 : 0,
      featured: 0,
      author_id: null,
      author_username: null,
      published_at: published ? now : null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}
