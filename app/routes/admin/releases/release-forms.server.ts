import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { platformField, releaseNotesField, versionField } from '#shared/releases/release-fields';
import { renderReleaseNotes } from '#shared/releases/release-notes.server';
import { requireRelease } from '#shared/releases/list-releases';
import { changeRelease, createRelease, deleteRelease } from '#shared/releases/save-release.server';
import { releaseAddress, RELEASES_PATH } from '~/components/releases/release-addresses';
import type { PreviewDetails } from '~/components/releases/release-form';
import { RELEASE_FAILED, splitPlatforms } from '~/components/releases/release-texts';
import { requireAdmin } from '~/http/auth/session.server';
import {
  noFields,
  pageForms,
  switchField,
  textField,
  type FormContext,
  type FormOutcome,
} from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { writeOf } from '../write-of.server';

/** The fields of a release as its form sends them. */
const releaseForm = z.object({
  version: versionField,
  releaseNotes: releaseNotesField.default(''),
  isBeta: switchField,
});

/** The preview needs the notes alone; the other fields are sent back as they came. */
const previewForm = releaseForm.extend({ version: textField, isBeta: textField });

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

/** The forms of a release's screen. */
export function releaseForms() {
  return pageForms(
    {
      path: ({ params }) => releaseAddress(params.id ?? ''),
      access: requireAdmin,
      failed: RELEASE_FAILED,
    },
    {
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
          await deleteRelease({ db, storage, clock }, { id, actor: { userId: viewer.account.id } });
          return { message: `Version ${version} is deleted.` };
        },
      },
    },
  );
}
