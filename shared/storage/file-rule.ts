import type { DomainError } from '../errors';
import { removeHidden } from '../hidden-characters';
import { firstCharacters, normaliseUnicode } from '../text';

/** Why a file is refused: missing, empty, of another type, too large, or one too many. */
export type FileFault = 'missing' | 'empty' | 'type' | 'size' | 'count';

/** In `accepted`: every type that is not listed. */
export const ANY_TYPE = '*/*';
/** The type of a file whose content shows none. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** What a file field accepts, and the refusals of other files. */
export interface FileRule {
  /** Accepted media types, detected from the content, with their limits in bytes. `ANY_TYPE` stands for all others. */
  accepted: Readonly<Record<string, number>>;
  /** Whether the digests of the file are taken while it arrives. */
  digests?: boolean;
  refusal(fault: FileFault): DomainError;
}

/** A received file in the staging folder. */
export interface StagedFile {
  /** Read-only. Removed by the code that consumes the file, at the latest when the request ends. */
  path: string;
  /** The sender's name for it, cleaned for display; never a path. */
  originalName: string;
  /** The media type, detected from the content. */
  type: string;
  /** Bytes. */
  size: number;
  /** Taken while the file arrived, for rules with `digests`: SHA-256 (hexadecimal) and SHA-512 (base64). */
  digests?: { sha256: string; sha512: string };
  /** The id of the record of this upload, if the code that received the file keeps one. */
  recordId?: string;
}

const MAX_NAME_LENGTH = 200;

/** Cleans a sender's file name for display: without folders and hidden characters, at most 200 characters. */
export function originalName(claimed: string): string {
  const last = normaliseUnicode(claimed, 'NFC').split(/[/\\]/).at(-1) ?? '';
  const start = firstCharacters(removeHidden(last).trim(), MAX_NAME_LENGTH);
  // The cut may leave a part of an emoji.
  const shown = removeHidden(start);
  return shown === '' || /^\.+$/.test(shown) ? 'Unnamed' : shown;
}
