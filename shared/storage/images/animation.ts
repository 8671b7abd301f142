const MEGABYTE = 1024 ** 2;

/** An animation up to this stays one; pixels are those of all frames together. Larger ones take long to encode. */
export const ANIMATION_LIMITS = { bytes: 2 * MEGABYTE, frames: 100, pixels: 12_000_000 } as const;

/** For people who choose images. */
export const ANIMATION_RULE =
  'GIF and WebP animations up to 2 MB, 100 frames and 12 megapixels in total stay animated. Only the first frame of larger ones is kept.';

export interface Animation {
  /** `Infinity`: of a format whose animations are not kept. */
  frames: number;
  /** Pixels of one frame. */
  width: number;
  height: number;
}

/** Whether an animation stays one when it is stored. `bytes`: the size of its file. */
export function isKeptAnimation({ frames, width, height }: Animation, bytes: number): boolean {
  const { bytes: maxBytes, frames: maxFrames, pixels } = ANIMATION_LIMITS;
  return frames > 1 && frames <= maxFrames && bytes <= maxBytes && frames * width * height <= pixels;
}

/** Reads how many frames an image has, in time proportional to its length; null for a still image and unknown files. */
export function readAnimation(bytes: Uint8Array): Animation | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textAt = (start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));
  if (bytes.byteLength < 32) return null;
  let animation: Animation | null = null;
  if (textAt(0, 4) === 'GIF8') animation = readGif(view);
  else if (textAt(0, 4) === 'RIFF' && textAt(8, 12) === 'WEBP') animation = readWebP(view);
  else if (textAt(1, 4) === 'PNG') animation = readPng(view);
  else if (textAt(4, 8) === 'ftyp' && textAt(8, Math.min(view.getUint32(0), 256)).includes('avis'))
    animation = { frames: Infinity, width: 0, height: 0 };
  return animation !== null && animation.frames > 1 ? animation : null;
}

/** GIF89a, sections 17 to 27. */
function readGif(view: DataView): Animation {
  let at = 13 + tableBytes(view.getUint8(10));
  let frames = 0;
  const skipBlocks = () => {
    while (at < view.byteLength && view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at += 1;
  };
  while (at + 10 < view.byteLength) {
    const kind = view.getUint8(at);
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) {
      frames += 1;
      at += 11 + tableBytes(view.getUint8(at + 9));
    } else break;
    skipBlocks();
  }
  return { frames, width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The size of a colour table by its flags. */
const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

const VP8X = 0x56503858;
const ANMF = 0x414e4d46;

/** WebP container, "Extended File Format". */
function readWebP(view: DataView): Animation | null {
  if (view.getUint32(12) !== VP8X) return null;
  const threeBytes = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  let frames = 0;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const size = view.getUint32(at + 4, true);
    if (view.getUint32(at) === ANMF) frames += 1;
    at += 8 + size + (size % 2);
  }
  return { frames, width: threeBytes(24) + 1, height: threeBytes(27) + 1 };
}

const ACTL = 0x6163544c;
const IDAT = 0x49444154;

/** Portable Network Graphics 3, "acTL". */
function readPng(view: DataView): Animation | null {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const kind = view.getUint32(at + 4);
    if (kind === ACTL) return { frames: Infinity, width: 0, height: 0 };
    if (kind === IDAT) return null;
  }
  return null;
}
