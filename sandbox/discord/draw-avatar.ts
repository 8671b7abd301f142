import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUECOLOUR = 2;
const BYTES_PER_PIXEL = 3;

/** One chunk: length, type, data and checksum (PNG specification, section 5.3). */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A square PNG in two colours, taken from the first digits of the hash. @param size its side in pixels */
export function drawAvatar(hash: string, size: number): Buffer {
  const digits = hash.replace(/^a_/, '').padEnd(12, '0');
  const colourAt = (from: number) => [...Buffer.from(digits.slice(from, from + 6), 'hex')];
  const [upper, lower] = [colourAt(0), colourAt(6)];
  const rows = Array.from({ length: size }, (_, row) =>
    // Each row begins with its filter: none.
    Buffer.from([0, ...Array.from({ length: size }, () => (row < size / 2 ? upper : lower)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(TRUECOLOUR, 9);
  if (rows[0]?.length !== 1 + size * BYTES_PER_PIXEL) throw new Error('a row has the wrong length');
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
