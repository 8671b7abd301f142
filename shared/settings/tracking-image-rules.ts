import { DomainError } from '../errors';
import type { FileFault, FileRule } from '../storage/file-rule';

/** An image of this size or more is refused. */
export const TRACKING_IMAGE_LIMIT_BYTES = 5 * 1024 * 1024;

export const TRACKING_NAME_MISSING = 'Please enter a name.';
export const NOT_AN_IMAGE = 'Please select an image file.';
export const IMAGE_TOO_LARGE = 'Image file must be smaller than 5MB.';

function refusalOf(fault: FileFault): DomainError {
  const message = fault === 'size' ? IMAGE_TOO_LARGE : NOT_AN_IMAGE;
  return new DomainError('Invalid', {
    code: fault === 'size' ? 'file_too_large' : 'not_an_image',
    message,
    fieldErrors: { image: [message] },
  });
}

/** The accepted images of tracking sets. */
export const TRACKING_IMAGE_FILE: FileRule = {
  accepted: Object.fromEntries(
    ['jpeg', 'png', 'webp', 'gif', 'avif'].map((kind) => [`image/${kind}`, TRACKING_IMAGE_LIMIT_BYTES - 1]),
  ),
  refusal: refusalOf,
};

/** The `accept` attribute of a file field. Browsers name animated PNGs by a separate type. */
export const TRACKING_IMAGE_ACCEPT = [...Object.keys(TRACKING_IMAGE_FILE.accepted), 'image/apng'].join(',');
