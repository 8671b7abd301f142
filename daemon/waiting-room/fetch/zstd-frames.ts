const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Bytes of the fields of a frame header by their flags (RFC 8878, section 3.1.1.1.1). */
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CHECKSUM_BYTES = 4;
const RUN_BLOCK = 1;
/** Frames that are read of one body; a page of 5 MB has a few. */
const MAX_FRAMES = 1_000;

type Field = 'magic' | 'descriptor' | 'skippable size' | 'block header' | 'frame end' | 'unknown';
const FIELD_BYTES: Record<Field, number> = {
  magic: 4,
  descriptor: 1,
  'skippable size': 4,
  'block header': 3,
  'frame end': 0,
  unknown: Number.POSITIVE_INFINITY,
};

/**
 * Splits a zstd body after each of its frames (RFC 8878, section 3.1), which browsers read one after another: Node's
 * decoder drops what follows a frame in the same piece. A body that is no zstd passes through unchanged.
 */
export async function* splitZstdFrames(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let field = 'magic' as Field;
  /** Bytes of the field that have come, and its value so far, little-endian. */
  let read = 0;
  let value = 0;
  /** Bytes before the field. */
  let skip = 0;
  let hasChecksum = false;
  let frames = 0;

  function next(following: Field, after = 0): void {
    field = following;
    read = 0;
    value = 0;
    skip = after;
  }

  function endField(): void {
    switch (field) {
      case 'magic':
        if (value === FRAME_MAGIC) next('descriptor');
        else if ((value & ~0xf) === SKIPPABLE_MAGIC) next('skippable size');
        else next('unknown');
        return;
      case 'skippable size':
        next('frame end', value);
        return;
      case 'descriptor': {
        const isSingleSegment = ((value >> 5) & 1) === 1;
        hasChecksum = ((value >> 2) & 1) === 1;
        const contentSize = CONTENT_SIZE_BYTES[(value >> 6) as 0 | 1 | 2 | 3];
        const window = isSingleSegment ? 0 : 1;
        const size = contentSize === 0 && isSingleSegment ? 1 : contentSize;
        next('block header', window + DICTIONARY_ID_BYTES[(value & 3) as 0 | 1 | 2 | 3] + size);
        return;
      }
      case 'block header': {
        const isLast = (value & 1) === 1;
        const bytes = ((value >> 1) & 3) === RUN_BLOCK ? 1 : value >> 3;
        if (isLast) next('frame end', bytes + (hasChecksum ? CHECKSUM_BYTES : 0));
        else next('block header', bytes);
        return;
      }
      case 'frame end':
        frames += 1;
        next(frames < MAX_FRAMES ? 'magic' : 'unknown');
        return;
      case 'unknown':
    }
  }

  for await (const piece of pieces) {
    let start = 0;
    let at = 0;
    while (at < piece.length) {
      const skipped = Math.min(skip, piece.length - at);
      skip -= skipped;
      at += skipped;
      if (skip > 0) break;
      if (field === 'unknown') break;
      if (field === 'frame end') {
        if (at > start) yield piece.subarray(start, at);
        start = at;
        endField();
        continue;
      }
      while (at < piece.length && read < FIELD_BYTES[field]) {
        value += (piece[at] ?? 0) * 256 ** read;
        read += 1;
        at += 1;
      }
      if (read === FIELD_BYTES[field]) endField();
    }
    if (start < piece.length) yield piece.subarray(start);
  }
}
