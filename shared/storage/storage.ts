import type { Readable } from 'node:stream';

/** What `receive` says about a file that it did not keep. */
export type ReceiveFault = 'empty' | 'type' | 'size';

export type Received = { is: 'received'; path: string; type: string; size: number } | { is: ReceiveFault };

/**
 * Where uploaded files live, each upload under its id with one or more files. Whoever serves them knows the place from
 * the configuration; nobody else does. What cannot be written for a reason of the machine's (disk full, read-only, no
 * permission) throws `Unavailable` and leaves nothing behind.
 */
export interface FileStorage {
  /**
   * Streams a file to this machine's disk without holding more than a few blocks of it. Its type is told from its
   * first bytes; one that is not in `accepted` is not written at all, and one that grows over its type's bytes goes
   * again; both are read to the end. Rejects, with nothing left, when the source fails or `signal` aborts.
   */
  receive(
    source: Readable,
    options: { accepted: Readonly<Record<string, number>>; signal: AbortSignal },
  ): Promise<Received>;
  /** Removes a received file; the same when it is gone or was stored. */
  discard(path: string): Promise<void>;
  /** Stores a file of an upload, all of it or nothing: bytes, or a received file, which is then gone from where it lay. */
  put(uploadId: string, name: string, content: Uint8Array | { path: string }): Promise<void>;
  /** Removes everything of an upload; the same when there is nothing. */
  remove(uploadId: string): Promise<void>;
  /**
   * The ids of everything stored. Not when: copies and restored backups carry the times of their originals, so a file's
   * age says nothing about how long it has been here.
   */
  list(): Promise<string[]>;
  /** Removes received files that nobody took, last written before `before` (epoch ms). Returns how many. */
  discardBefore(before: number): Promise<number>;
}
