import { ERRORS, type Locker } from '@tus/server';
import { uploadLocked } from '#shared/releases/resumable-upload.server';
import { lockUpload, type UploadLock } from '#shared/releases/upload-lock';
import type { StorageContext } from '#shared/storage/upload-records';

/** The locks of the tus server. They hold across processes. */
export function createTusLocker({ db, clock }: Pick<StorageContext, 'db' | 'clock'>): Locker {
  return {
    newLock(uploadId) {
      let held: UploadLock | undefined;
      return {
        async lock(signal, requestRelease) {
          const lock = await lockUpload(db, {
            uploadId,
            clock,
            signal,
            onWanted: () => void requestRelease(),
          });
          if (lock === 'missing') throw ERRORS.FILE_NOT_FOUND;
          if (lock === 'held') throw uploadLocked();
          held = lock;
        },
        async unlock() {
          await held?.release();
        },
      };
    },
  };
}
