import { DomainError } from '../../errors';
import type { FileFault, FileRule } from '../../storage/file-rule';

const MEGABYTE = 1024 * 1024;
const IMAGE_LIMIT_BYTES = 10 * MEGABYTE;
const VIDEO_LIMIT_BYTES = 200 * MEGABYTE;

const SENTENCES: Record<FileFault, string> = {
  missing: 'Choose an image or a video to upload.',
  empty: 'This file is empty.',
  type: 'Choose a JPEG, PNG, WebP, GIF or AVIF image, or an MP4 or WebM video.',
  size: 'This file is too large. Images can be up to 10 MB and videos up to 200 MB.',
  count: 'Too many files at once. Upload the rest afterwards.',
};

/** The accepted images and videos of articles. */
export const MEDIA_FILE: FileRule = {
  accepted: {
    'image/jpeg': IMAGE_LIMIT_BYTES,
    'image/png': IMAGE_LIMIT_BYTES,
    'image/webp': IMAGE_LIMIT_BYTES,
    'image/gif': IMAGE_LIMIT_BYTES,
    'image/avif': IMAGE_LIMIT_BYTES,
    'video/mp4': VIDEO_LIMIT_BYTES,
    'video/webm': VIDEO_LIMIT_BYTES,
  },
  refusal: (fault) =>
    new DomainError(fault === 'size' ? 'TooLarge' : 'Invalid', {
      code: fault === 'size' ? 'file_too_large' : `file_${fault}`,
      message: SENTENCES[fault],
      fieldErrors: { file: [SENTENCES[fault]] },
    }),
};

/** The `accept` attribute of a file field. Browsers name variants of the accepted types by separate types. */
export const MEDIA_ACCEPT = [
  ...Object.keys(MEDIA_FILE.accepted),
  ...['image/apng', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'],
].join(',');

/** The refusal of a file that cannot be decoded as the type that its first bytes show. */
export function damagedFile(message: string, cause: unknown): DomainError {
  return new DomainError('Invalid', {
    code: 'file_unreadable',
    message,
    fieldErrors: { file: [message] },
    cause,
  });
}
