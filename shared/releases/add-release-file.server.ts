import type { Actor } from '../audit/write-audit';
import type { StagedFile } from '../storage/file-rule';
import type { StorageContext } from '../storage/upload-records';
import type { Platform, Release } from './release';
import type { ReleaseChanges } from './save-release.server';

/**
 * Checks the content of a staged file and makes it the file of a version for a platform: creates the release if the
 * version is new (published unless `published` is false), and replaces the platform's file, in one transaction. `context.storage`
 * is the storage of releases. Throws `Invalid` that names `file` for another extension or content and for an empty file,
 * `Unavailable` when it cannot be stored; then nothing is changed. The caller removes the staged file if it still exists.
 *
 * `releaseUploadId`: the release upload that brought the file. Its record is removed in the same transaction, and its id
 * becomes the id of the file, so that a client that lost the response can ask whether its upload ended well. Throws
 * `Conflict` (`upload_cancelled`) when the record no longer exists.
 */
export function addReleaseFile(
  context: StorageContext,
  upload: {
    version: string;
    platform: Platform;
    releaseUploadId?: string;
    file: StagedFile;
    changes: Omit<ReleaseChanges, 'version'>;
    actor: Actor;
  },
): Promise<Release> {
  throw new Error('not built yet', { cause: { context, upload } });
}
