import { z } from 'zod';
import { operation, type Admin } from '../operation';
import type { StagedFile } from '../storage/file-rule';
import type { StorageContext } from '../storage/upload-records';
import { addReleaseFile } from './add-release-file.server';
import { requireRelease } from './list-releases';
import { PLATFORM_FILES } from './release';
import { platformField, releaseNotesField, versionField } from './release-fields';
import { changeRelease, createRelease, deleteRelease } from './save-release.server';

interface Context extends Omit<StorageContext, 'storage'> {
  releaseStorage: StorageContext['storage'];
}

const id = z.string().max(64);
const fields = z.object({
  version: versionField,
  releaseNotes: releaseNotesField,
  isBeta: z.boolean(),
  published: z.boolean(),
});

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
    async run({ db, clock, releaseStorage: storage }: Context, { actor }: Admin, { id }) {
      const release = await requireRelease(db, id);
      await deleteRelease({ db, storage, clock }, { id, actor });
      return release;
    },
    sentence: ({ version }) => `Version ${version} is deleted.`,
  }),
  upload: operation({
    access: 'admin',
    limit: 'upload',
    input: z.object({
      version: versionField,
      platform: platformField,
      changes: fields.omit({ version: true }).partial(),
      file: z.custom<StagedFile>(),
    }),
    run: ({ db, clock, releaseStorage: storage }: Context, { actor }: Admin, upload) =>
      addReleaseFile({ db, storage, clock }, { ...upload, actor, releaseUploadId: upload.file.recordId }),
    sentence: (_release, { platform }) => `${PLATFORM_FILES[platform].label} file uploaded.`,
  }),
};
