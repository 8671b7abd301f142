import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { StagedFile } from './file-rule';

/** Why `receive` did not keep a file. */
export type ReceiveFault = 'empty' | 'type' | 'size';

export type Received =
  | ({ kind: 'received' } & Pick<StagedFile, 'path' | 'type' | 'size' | 'digests'>)
  | { kind: ReceiveFault };

/**
 * Stores uploaded files: each upload is a folder under its id, with one or more files. Methods throw `Unavailable`, and
 * leave no file behind, when the disk cannot be written (full, read-only, no permission) or S3 cannot be used.
 */
export interface FileStorage {
  /** Where the files are, for operators: a folder, or a bucket with a prefix. */
  readonly location: string;
  /**
   * The folder of received files on the local disk. `discardStagedBefore` also removes files that others write there. It may
   * not exist yet.
   */
  readonly stagingFolder: string;
  /** An id of the machine that has the staging folder: the same in all its processes, and after a restart. */
  machine(): Promise<string>;
  /**
   * Streams a file to the local disk, and computes `digests` if set. Detects the type from the first bytes. A file of a
   * type that is not in `accepted` is not written; a file above the limit of its type is removed; both are read to the
   * end. Rejects, and leaves no file, when the source fails or `signal` aborts.
   */
  receive(
    source: Readable,
    options: { accepted: Readonly<Record<string, number>>; digests?: boolean; signal: AbortSignal },
  ): Promise<Received>;
  /** Removes a received file, if it still exists. */
  discard(path: string): Promise<void>;
  /** Stores a file of an upload atomically: bytes, or a received file, which leaves the staging folder unless `keep`. */
  put(uploadId: string, name: string, content: Uint8Array | { path: string; keep?: boolean }): Promise<void>;
  /**
   * Opens a stored file for reading. `range`: byte positions inside the file, both included; default: the whole file.
   * `size`: of the whole file in bytes. The reader gets the bytes of one version even when the file is removed before the end; it
   * reads the stream to its end or destroys it. Null: there is no such file.
   */
  open(
    uploadId: string,
    name: string,
    range?: { start: number; end: number },
  ): Promise<{ stream: Readable; size: number } | null>;
  /** Opens a stored file of the local disk; the caller closes it. Null: there is no such file on this disk. */
  openLocal(uploadId: string, name: string): Promise<FileHandle | null>;
  /** The size of a stored file in bytes; null: there is no such file. */
  size(uploadId: string, name: string): Promise<number | null>;
  /** A signed URL for downloading a file for `seconds`, with this name and type; null: the server must send it. */
  link(
    uploadId: string,
    name: string,
    options: { downloadName: string; mediaType: string; seconds: number },
  ): Promise<string | null>;
  /** Free bytes of the disk on which files are received. */
  freeBytes(): Promise<number>;
  /** Removes all files of an upload, if any exist. */
  remove(uploadId: string): Promise<void>;
  /** The ids of all stored uploads. */
  list(): Promise<string[]>;
  /** Removes received files that were last written before `before` (epoch ms) from the local disk. Returns how many. */
  discardStagedBefore(before: number): Promise<number>;
  /** As `discardStagedBefore`, and also removes stored parts of that age. Returns how many. */
  discardBefore(before: number): Promise<number>;
  /** Why no file can be stored now, in a sentence for an operator; null if files can be stored. Takes two seconds at most. */
  findFault(): Promise<string | null>;
}
