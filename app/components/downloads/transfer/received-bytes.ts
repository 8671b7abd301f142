const MEGABYTE = 1024 * 1024;

/** Bytes are kept in blobs of this size, which browsers move to the disk when memory is short. */
const BLOB_BYTES = 8 * MEGABYTE;

/** The bytes of a file that have arrived so far. They stay when a connection breaks. */
export interface ReceivedBytes {
  /** How many have arrived. */
  readonly size: number;
  /** The ETag of their file; null: unknown. */
  etag: string | null;
  add(chunk: Uint8Array<ArrayBuffer>): void;
  /** Drops them and the ETag. */
  clear(): void;
  toBlob(): Blob;
}

export function createReceivedBytes(): ReceivedBytes {
  let blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let inChunks = 0;
  let size = 0;

  function closeBlob(): void {
    if (inChunks === 0) return;
    blobs.push(new Blob(chunks));
    chunks = [];
    inChunks = 0;
  }

  return {
    etag: null,
    get size() {
      return size;
    },
    add(chunk) {
      chunks.push(chunk);
      inChunks += chunk.byteLength;
      size += chunk.byteLength;
      if (inChunks >= BLOB_BYTES) closeBlob();
    },
    clear() {
      blobs = [];
      chunks = [];
      inChunks = 0;
      size = 0;
      this.etag = null;
    },
    toBlob() {
      closeBlob();
      return new Blob(blobs);
    },
  };
}
