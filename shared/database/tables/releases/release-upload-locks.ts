import type { ReleaseUploadsTable } from './release-uploads';

/**
 * The lock on a resumable upload: one request at a time writes it, stores it or cancels it, in whichever process. A lock
 * whose process has died expires.
 */
export interface ReleaseUploadLocksTable {
  upload_id: ReleaseUploadsTable['id'];
  /** A random id of the holder. */
  holder: string;
  /** The holder renews it while it works. */
  expires_at: string;
  /** 1: another request waits for the lock, so the holder ends as soon as it can. */
  wanted: 0 | 1;
}
