import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { appImage, diskImage, noise, windowsProgram } from '../fixtures/releases/programs';
import { findWrongStart, HEAD_BYTES, readProgramType } from '#shared/releases/program-type.server';
import { PLATFORMS, type Platform } from '#shared/releases/release';

const folder = mkdtempSync(join(tmpdir(), 'packwatch-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const machO = (magic: number): Buffer => {
  const program = noise(600, 'mach-o');
  program.writeUInt32BE(magic);
  return program;
};

const wrongHeader = windowsProgram();
wrongHeader.writeUInt32LE(0xffff_fff0, 0x3c);

test.each<[name: string, bytes: Buffer, type: string]>([
  ['a Windows program', windowsProgram(), 'windows'],
  [
    'a Windows program with a disk image behind it',
    Buffer.concat([windowsProgram(), diskImage()]),
    'windows',
  ],
  ['an AppImage', appImage(), 'linux'],
  ['a disk image', diskImage(), 'macos'],
  [
    'a disk image that begins like a zlib stream',
    Buffer.concat([Buffer.from('7801', 'hex'), diskImage()]),
    'macos',
  ],
  ['a library', windowsProgram({ isLibrary: true }), 'a Windows library (DLL)'],
  ['two letters', Buffer.from('MZ'), 'a damaged Windows program, or one for MS-DOS'],
  ['a header beyond the end', wrongHeader, 'a damaged Windows program, or one for MS-DOS'],
  ['a plain ELF file', appImage({ mark: '\0\0\0' }), 'a Linux program but not an AppImage'],
  ['an old AppImage', appImage({ mark: 'AI\u0001' }), 'an AppImage of the outdated type 1'],
  ['a Mach-O file', machO(0xcffaedfe), 'a macOS program but not a disk image'],
  ['a universal file', machO(0xcafebabe), 'a macOS program but not a disk image'],
  ['the trailer alone', diskImage().subarray(-512), 'a file of an unknown kind'],
  ['a page', Buffer.from('\ufeff \n<!DOCTYPE html><title>x</title>'), 'an HTML page'],
  ['a page that ends like a disk image', Buffer.concat([Buffer.from('<html>'), diskImage()]), 'an HTML page'],
  ['a page in UTF-16', Buffer.from('\ufeff<html>', 'utf16le'), 'an HTML page'],
  ['a text', Buffer.from('Not found\n'), 'a text file'],
  ['a text with a cut character', Buffer.from('é'.repeat(3_000)).subarray(0, 4_101), 'a text file'],
  ['an archive', Buffer.from('504b03040a00000000000000000000000000', 'hex'), 'a .zip file'],
  ['a compressed disk image', gzipSync(diskImage()), 'a .gz file'],
  ['zeros', Buffer.alloc(2_000), 'a file of an unknown kind'],
])('%s is told by its content', async (_, bytes, expected) => {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const isPlatform = (PLATFORMS as readonly string[]).includes(expected);
  expect(await readProgramType(path)).toEqual(
    isPlatform ? { platform: expected } : { platform: null, description: expected },
  );
});

test.each<[name: string, bytes: Buffer, fits: Platform[]]>([
  ['a Windows program whose header is still to come', wrongHeader, ['windows']],
  ['an AppImage', appImage({ bytes: 9_000 }), ['linux']],
  ['a disk image, whose signature is still to come', diskImage({ bytes: 9_000 }), ['macos']],
  ['a page', Buffer.from(`<!doctype html>${'x'.repeat(9_000)}`), []],
  ['a plain ELF file', appImage({ mark: '\0\0\0' }), []],
])('the beginning of %s shows for which platforms it cannot be', async (_, bytes, fits) => {
  const path = join(folder, 'start');
  writeFileSync(path, bytes.subarray(0, HEAD_BYTES));
  const found = await Promise.all(PLATFORMS.map((platform) => findWrongStart(path, platform)));
  expect(PLATFORMS.filter((_platform, index) => found[index] === null)).toEqual(fits);
});
