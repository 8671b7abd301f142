import type { DomainError } from '../errors';

/** Why a file is refused: missing, empty, of another type, too large, or one too many. */
export type FileFault = 'missing' | 'empty' | 'type' | 'size' | 'count';

/** What a file field accepts, and the refusals of other files. */
export interface FileRule {
  /** Accepted media types, detected from the content, with their limits in bytes. */
  accepted: Readonly<Record<string, number>>;
  refusal(fault: FileFault): DomainError;
}

/** A received file in the staging folder. */
export interface StagedFile {
  /** For reading. The code that takes the file removes it, or else the end of the request does. */
  path: string;
  /** The sender's name for it, cleaned for display; never a path. */
  originalName: string;
  /** The media type, detected from the content. */
  type: string;
  /** Bytes. */
  size: number;
}
