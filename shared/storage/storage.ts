import type { Readable } from 'node:stream';

/** Why `receive` did not keep a file. */
export type ReceiveFault = 'empty' | 'type' | 'size';

export type Received = { is: 'received'; path: string; type: string; size: number } | { is: ReceiveFault };

/**
 * Stores uploaded files: each upload is a folder under its id, with one or more files. Methods throw `Unavailable`, and
 * leave no file behind, when the disk cannot be written (full, read-only, no permission).
 */
export interface FileStorage {
  /**
   * Streams a file to the local disk and holds only a few chunks in memory. Detects the type from the first bytes. A file
   * of a type that is not in `accepted` is not written; a file above the limit of its type is removed; both are read to
   * the end. Rejects, and leaves no file, when the source fails or `signal` aborts.
   */
  receive(
    source: Readable,
    options: { accepted: Readonly<Record<string, number>>; signal: AbortSignal },
  ): Promise<Received>;
  /** Removes a received file, if it still exists. */
  discard(path: string): Promise<void>;
  /** Stores a file of an upload atomically: bytes, or a received file, which is moved. */
  put(uploadId: string, name: string, content: Uint8Array | { path: string }): Promise<void>;
  /** Removes all files of an upload, if any exist. */
  remove(uploadId: string): Promise<void>;
  /** The ids of all stored uploads. */
  list(): Promise<string[]>;
  /** Removes received files that were last written before `before` (epoch ms). Returns how many. */
  discardBefore(before: number): Promise<number>;
}
