import { z } from 'zod';
import { operation, type Admin } from '../operation';
import type { StagedFile } from '../storage/file-rule';
import type { StorageContext } from '../storage/upload-records';
import { addReleaseFile } from './add-release-file.server';
import { requireRelease } from './list-releases';
import { PLATFORM_FILES } from './release';
import { platformField, releaseNotesField, versionField } from './release-fields';
import { beginResumableUpload, cancelReleaseUpload, finishResumableUpload } from './resumable-upload.server';
import { changeRelease, createRelease, deleteRelease } from './save-release.server';

interface Context extends Omit<StorageContext, 'storage'> {
  releaseStorage: StorageContext['storage'];
}

const id = z.string().max(64);

/** The context of the rules of releases. */
const ofReleases = ({ db, clock, releaseStorage: storage }: Context): StorageContext => ({
  db,
  clock,
  storage,
});
const fields = z.object({
  version: versionField,
  releaseNotes: releaseNotesField,
  isBeta: z.boolean(),
  published: z.boolean(),
});
/** Of which version and platform a file is, and what else changes with it. */
const target = z.object({
  version: versionField,
  platform: platformField,
  changes: fields.omit({ version: true }).partial(),
});

export const UPLOAD_CANCELLED = 'Upload cancelled.';

export const releaseOperations = {
  create: operation({
    access: 'admin',
    input: fields,
    run: ({ db, clock }: Context, { actor }: Admin, fields) => createRelease(db, { fields, actor, clock }),
    sentence: 'Release created. Upload its files, then publish it.',
  }),
  change: operation({
    access: 'admin',
    input: z.object({ id, changes: fields.partial() }),
    run: ({ db, clock }: Context, { actor }: Admin, { id, changes }) =>
      changeRelease(db, { id, changes, actor, clock }),
    sentence: (_release, { changes: { published, ...others } }) => {
      if (published === undefined || Object.keys(others).length > 0) return 'Release saved.';
      return published ? 'Published. Members can download it now.' : 'Withdrawn. Members no longer see it.';
    },
  }),
  delete: operation({
    access: 'admin',
    input: z.object({ id }),
    async run(context: Context, { actor }: Admin, { id }) {
      const release = await requireRelease(context.db, id);
      await deleteRelease(ofReleases(context), { id, actor });
      return release;
    },
    sentence: ({ version }) => `Version ${version} is deleted.`,
  }),
  upload: operation({
    access: 'admin',
    limit: 'upload',
    input: target.extend({ file: z.custom<StagedFile>() }),
    run: (context: Context, { actor }: Admin, upload) =>
      addReleaseFile(ofReleases(context), { ...upload, actor, releaseUploadId: upload.file.recordId }),
    sentence: (_release, { platform }) => `${PLATFORM_FILES[platform].label} file uploaded.`,
  }),
  /** Begins a resumable upload. */
  beginUpload: operation({
    access: 'admin',
    limit: 'upload',
    input: target.extend({ originalName: z.string(), fileSize: z.number() }),
    run: (context: Context, { actor }: Admin, upload) =>
      beginResumableUpload(ofReleases(context), { upload, actor }),
  }),
  /** Stores the file of a resumable upload whose bytes are complete. */
  finishUpload: operation({
    access: 'admin',
    input: z.object({ id }),
    run: (context: Context, { actor }: Admin, { id }) =>
      finishResumableUpload(ofReleases(context), { id, actor }),
  }),
  /** Cancels an upload of a form, or a resumable one. */
  cancelUpload: operation({
    access: 'admin',
    input: z.object({ id }),
    run: (context: Context, _admin: Admin, { id }) => cancelReleaseUpload(ofReleases(context), id),
    sentence: UPLOAD_CANCELLED,
  }),
};
