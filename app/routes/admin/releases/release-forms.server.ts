import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { addReleaseFile } from '#shared/releases/add-release-file.server';
import { PLATFORM_FILES } from '#shared/releases/release';
import { platformField, releaseNotesField, versionField } from '#shared/releases/release-fields';
import { RELEASE_FILE } from '#shared/releases/release-file';
import { renderReleaseNotes } from '#shared/releases/release-notes.server';
import { requireRelease } from '#shared/releases/list-releases';
import { cancelReleaseUpload } from '#shared/releases/resumable-upload.server';
import { changeRelease, createRelease, deleteRelease } from '#shared/releases/save-release.server';
import { releaseAddress, RELEASES_PATH } from '~/components/releases/release-addresses';
import type { PreviewDetails } from '~/components/releases/release-form';
import { RELEASE_FAILED, splitPlatforms } from '~/components/releases/release-texts';
import type { UploadDetails } from '~/components/releases/upload/running-uploads';
import { requireAdmin } from '~/http/auth/session.server';
import {
  noFields,
  pageForms,
  switchField,
  textField,
  type FormContext,
  type FormOutcome,
} from '~/http/forms/page-forms.server';
import type { UploadShape } from '~/http/forms/read-upload.server';
import { guardReleaseUpload } from '~/http/forms/release-upload-guard.server';
import { actorOf, writeOf } from '~/http/auth/write-of.server';
import { serverContext } from '~/http/server/context.server';

/** The fields of a release as its form sends them. */
const releaseForm = z.object({
  version: versionField,
  releaseNotes: releaseNotesField.default(''),
  isBeta: switchField,
});

/** The preview needs the notes alone; the other fields are sent back as they came. */
const previewForm = releaseForm.extend({ version: textField, isBeta: textField });

const uploadForm = z.object({ platform: platformField });
const cancelForm = z.object({ platform: platformField, uploadId: textField });

/** The form that creates a release. */
export function createForms() {
  return pageForms(
    { path: RELEASES_PATH, access: requireAdmin, failed: RELEASE_FAILED },
    {
      create: {
        schema: releaseForm,
        async run(values, { viewer }) {
          const fields = { ...values, published: false };
          const { id } = await createRelease(serverContext().db, { fields, ...writeOf(viewer) });
          return { to: releaseAddress(id), message: 'Release created. Upload its files, then publish it.' };
        },
      },
    },
  );
}

async function switchPublished(published: boolean, { params, viewer }: FormContext<Viewer>) {
  const { db } = serverContext();
  const id = params.id ?? '';
  if (published && splitPlatforms(await requireRelease(db, id)).present.length === 0)
    return { ok: false, message: 'Upload the file of at least one platform first.' } satisfies FormOutcome;
  await changeRelease(db, { id, changes: { published }, ...writeOf(viewer) });
}

/** Makes the file of a form the file of its platform. */
async function uploadFile(
  { platform }: z.output<typeof uploadForm>,
  { params, viewer, files }: FormContext<Viewer>,
): Promise<FormOutcome> {
  const { db, clock, releaseStorage: storage, limits } = serverContext();
  const [arrived] = files ?? [];
  if (arrived === undefined) throw RELEASE_FILE.refusal('missing');
  if (arrived.refused !== undefined) throw arrived.refused;
  await limits.take([{ limit: 'upload', key: viewer.account.id }]);
  const { version } = await requireRelease(db, params.id ?? '');
  const actor = actorOf(viewer);
  const { file } = arrived;
  await addReleaseFile(
    { db, storage, clock },
    { version, platform, file, changes: {}, actor, releaseUploadId: file.recordId },
  );
  return {
    message: `${PLATFORM_FILES[platform].label} file uploaded.`,
    details: { platform } satisfies UploadDetails,
  };
}

/** The form of a file: the platform is sent before the file. */
function uploadShape({ params, viewer }: Omit<FormContext<Viewer>, 'files'>): UploadShape {
  const guard = guardReleaseUpload({
    actor: actorOf(viewer),
    async readTarget(fields) {
      const platform = platformField.safeParse(fields.get('platform'));
      if (!platform.success) return null;
      const { version } = await requireRelease(serverContext().db, params.id ?? '');
      return { version, platform: platform.data, changes: {} };
    },
  });
  return { files: { file: RELEASE_FILE }, guard };
}

/** The forms of a release's screen. */
export function releaseForms() {
  return pageForms(
    {
      path: ({ params }) => releaseAddress(params.id ?? ''),
      access: requireAdmin,
      failed: RELEASE_FAILED,
      files: { intent: 'upload', shape: uploadShape },
    },
    {
      upload: {
        schema: uploadForm,
        run: uploadFile,
      },
      'cancel-upload': {
        schema: cancelForm,
        async run({ platform, uploadId }) {
          const { db, clock, releaseStorage: storage } = serverContext();
          await cancelReleaseUpload({ db, storage, clock }, uploadId);
          return { details: { platform } satisfies UploadDetails };
        },
        done: 'Upload cancelled.',
      },
      save: {
        schema: releaseForm,
        async run(changes, { params, viewer }) {
          await changeRelease(serverContext().db, { id: params.id ?? '', changes, ...writeOf(viewer) });
        },
        done: 'Release saved.',
      },
      preview: {
        schema: previewForm,
        run(values) {
          const details: PreviewDetails = { html: renderReleaseNotes(values.releaseNotes) };
          return Promise.resolve({ stay: true, values, details });
        },
      },
      publish: {
        schema: noFields,
        run: (_, context) => switchPublished(true, context),
        done: 'Published. Members can download it now.',
      },
      withdraw: {
        schema: noFields,
        run: (_, context) => switchPublished(false, context),
        done: 'Withdrawn. Members no longer see it.',
      },
    },
  );
}

/** The form that deletes a release. */
export function deleteForms() {
  return pageForms(
    { path: RELEASES_PATH, access: requireAdmin, failed: RELEASE_FAILED },
    {
      delete: {
        schema: noFields,
        async run(_, { params, viewer }) {
          const { db, clock, releaseStorage: storage } = serverContext();
          const id = params.id ?? '';
          const { version } = await requireRelease(db, id);
          await deleteRelease({ db, storage, clock }, { id, actor: actorOf(viewer) });
          return { message: `Version ${version} is deleted.` };
        },
      },
    },
  );
}
