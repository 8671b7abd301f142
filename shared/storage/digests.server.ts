import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { onDisk } from './disk.server';
import type { StagedFile } from './file-rule';

type Digests = NonNullable<StagedFile['digests']>;

/** Bytes read at once: few enough that other requests are served in between. */
const CHUNK_BYTES = 256 * 1024;

/** Takes both digests of the bytes that pass. */
export function createDigests(): { update(chunk: Buffer): void; finish(): Digests } {
  const sha256 = createHash('sha256');
  const sha512 = createHash('sha512');
  return {
    update(chunk) {
      sha256.update(chunk);
      sha512.update(chunk);
    },
    finish: () => ({ sha256: sha256.digest('hex'), sha512: sha512.digest('base64') }),
  };
}

/** Reads a file of the local disk once and takes its digests. Throws `Unavailable` when it cannot be read. */
export function digestFile(path: string): Promise<Digests> {
  return onDisk(async () => {
    const digests = createDigests();
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      digests.update(chunk as Buffer);
    return digests.finish();
  });
}
