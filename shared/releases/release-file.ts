import { DomainError } from '../errors';
import { ANY_TYPE, type FileFault, type FileRule } from '../storage/file-rule';
import type { ProgramType } from './program-type.server';
import { PLATFORM_FILES, RELEASE_FILE_LIMIT_BYTES, type Platform } from './release';

const SENTENCES: Record<FileFault, string> = {
  missing: 'Choose the file of the release.',
  empty: 'This file is empty.',
  type: 'This file is not a program of the release.',
  size: 'This file is too large. A file of a release can be up to 2 GB.',
  count: 'Upload one file at a time.',
};

/** The refusal of a file. `sentence`: default by the fault. */
function fileRefused(fault: FileFault, sentence = SENTENCES[fault]): DomainError {
  return new DomainError(fault === 'size' ? 'TooLarge' : 'Invalid', {
    code: fault === 'size' ? 'file_too_large' : `file_${fault}`,
    message: sentence,
    fieldErrors: { file: [sentence] },
  });
}

/** Every type is received: some of a disk image's signs are at its end, so `addReleaseFile` checks the content. */
export const RELEASE_FILE: FileRule = {
  accepted: { [ANY_TYPE]: RELEASE_FILE_LIMIT_BYTES },
  digests: true,
  refusal: (fault) => fileRefused(fault),
};

const KINDS: Record<Platform, string> = {
  windows: 'a Windows program (.exe)',
  macos: 'a macOS disk image (.dmg)',
  linux: 'a Linux AppImage (.AppImage)',
};

/** Throws `Invalid` that names `file` if a file's name does not end in the extension of the platform. Case is ignored. */
export function requireExtension(name: string, platform: Platform): void {
  if (name.toLowerCase().endsWith(PLATFORM_FILES[platform].extension.toLowerCase())) return;
  throw fileRefused(
    'type',
    `This file’s name does not fit. For ${PLATFORM_FILES[platform].label}, choose ${KINDS[platform]}.`,
  );
}

/** Throws `Invalid` that names `file` if a file is not a program of the platform. */
export function requirePlatform(type: ProgramType, platform: Platform): void {
  if (type.platform === platform) return;
  const found = type.platform === null ? type.description : KINDS[type.platform];
  throw fileRefused(
    'type',
    `This is ${found}. For ${PLATFORM_FILES[platform].label}, choose ${KINDS[platform]}.`,
  );
}

/** Throws `Invalid` or `TooLarge` that names `file` for a size in bytes that no file of a release has. */
export function requireSize(bytes: number): void {
  if (bytes === 0) throw fileRefused('empty');
  if (bytes > RELEASE_FILE_LIMIT_BYTES) throw fileRefused('size');
}
