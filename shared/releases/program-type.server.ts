import { open, type FileHandle } from 'node:fs/promises';
import type { Platform } from './release';

/** Bytes at the beginning of a file that show what it is. */
export const HEAD_BYTES = 4_100;
/** The trailer of a disk image: its signature, version 4 and its own size (newosxbook.com/DMG.html, "koly block"). */
const TRAILER_BYTES = 512;
const DISK_IMAGE_TRAILER = Buffer.from([...Buffer.from('koly'), 0, 0, 0, 4, 0, 0, 2, 0]);
/** IMAGE_FILE_EXECUTABLE_IMAGE and IMAGE_FILE_DLL (Microsoft, "PE Format", Characteristics). */
const PE_EXECUTABLE = 0x0002;
const PE_LIBRARY = 0x2000;
/** Mach-O of 32 and 64 bits, and universal files (Apple, mach-o/loader.h and mach-o/fat.h). */
const MACH_O_MAGICS = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xbebafeca]);

/** The type of a file: a program for a platform, or a description that completes "This is". */
export type ProgramType =
  | { platform: Platform; description?: undefined }
  | { platform: null; description: string };

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** A file that begins with MZ (Microsoft, "PE Format": MS-DOS stub, signature, COFF file header). */
async function windowsType(file: FileHandle, head: Buffer): Promise<ProgramType> {
  const damaged = { platform: null, description: 'a damaged Windows program, or one for MS-DOS' } as const;
  if (head.byteLength < 64) return damaged;
  const header = await readAt(file, head.readUInt32LE(0x3c), 24);
  if (header.byteLength < 24 || header.toString('latin1', 0, 4) !== 'PE\0\0') return damaged;
  const characteristics = header.readUInt16LE(22);
  if ((characteristics & PE_LIBRARY) !== 0) return { platform: null, description: 'a Windows library (DLL)' };
  return (characteristics & PE_EXECUTABLE) === 0 ? damaged : { platform: 'windows' };
}

/** An ELF file. An AppImage has its mark at offset 8 (AppImage specification, "Type 2 image format"). */
function elfType(head: Buffer): ProgramType {
  const mark = head.subarray(8, 11).toString('latin1');
  if (mark === 'AI\u0002') return { platform: 'linux' };
  const description =
    mark === 'AI\u0001' ? 'an AppImage of the outdated type 1' : 'a Linux program but not an AppImage';
  return { platform: null, description };
}

/** HTML or other text; null for binary content. */
function textType(head: Buffer): string | null {
  const hasByteOrderMark = /^(\xff\xfe|\xfe\xff)/.test(head.toString('latin1', 0, 2));
  const text = head.toString(hasByteOrderMark ? 'utf16le' : 'utf8');
  if (/^\s*(<!--|<!doctype html|<(html|head|body|script|title|meta)\b)/i.test(text.replace(/^\ufeff/, '')))
    return 'an HTML page';
  // The head may end in the middle of a character.
  const isText = hasByteOrderMark || !/(?![\t\n\f\r])\p{Cc}|\ufffd(?!\ufffd{0,2}$)/u.test(text);
  return isText ? 'a text file' : null;
}

/** A disk image has no signature at its beginning, so the trailer decides. */
async function imageType(file: FileHandle, size: number): Promise<ProgramType | null> {
  if (size <= TRAILER_BYTES) return null;
  const trailer = await readAt(file, size - TRAILER_BYTES, DISK_IMAGE_TRAILER.byteLength);
  return trailer.equals(DISK_IMAGE_TRAILER) ? { platform: 'macos' } : null;
}

/** The type by a file's beginning; null: the rest of the file decides. */
function startType(head: Buffer): ProgramType | null {
  const magic = head.toString('latin1', 0, 4);
  if (magic.startsWith('MZ')) return { platform: 'windows' };
  if (magic === '\x7fELF') return elfType(head);
  if (head.byteLength >= 4 && MACH_O_MAGICS.has(head.readUInt32BE(0)))
    return { platform: null, description: 'a macOS program but not a disk image' };
  const text = textType(head);
  return text === null ? null : { platform: null, description: text };
}

/** Other content, by its signature. */
async function otherType(head: Buffer): Promise<ProgramType> {
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(head);
  // file-type takes every zlib stream for a disk image.
  const description =
    known === undefined || known.ext === 'dmg' ? 'a file of an unknown kind' : `a .${known.ext} file`;
  return { platform: null, description };
}

/** Runs `work` on a file on the disk and its first bytes. */
async function withHead<T>(path: string, work: (file: FileHandle, head: Buffer) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(file, await readAt(file, 0, HEAD_BYTES));
  } finally {
    await file.close();
  }
}

/** Detects the type of a file on the disk by its first bytes, the PE header or the trailer of a disk image. */
export function readProgramType(path: string): Promise<ProgramType> {
  return withHead(path, async (file, head) => {
    const start = startType(head);
    if (start?.platform === 'windows') return windowsType(file, head);
    if (start !== null) return start;
    const { size } = await file.stat();
    return (await imageType(file, size)) ?? otherType(head);
  });
}

/** Why a file whose first `HEAD_BYTES` have arrived cannot become a program of the platform; null if it can so far. */
export function findWrongStart(path: string, platform: Platform): Promise<ProgramType | null> {
  return withHead(path, async (_file, head) => {
    const start = startType(head);
    if (start !== null) return start.platform === platform ? null : start;
    // A disk image has its signature at the end.
    return platform === 'macos' ? null : otherType(head);
  });
}
