import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { DomainError } from '#shared/errors';
import { platformField, releaseNotesField, versionField } from '#shared/releases/release-fields';
import { RELEASE_FILE } from '#shared/releases/release-file';
import { requireRelease } from '#shared/releases/list-releases';
import { releaseOperations, UPLOAD_CANCELLED } from '#shared/releases/release-operations';
import { releaseAddress, RELEASES_PATH } from '~/components/releases/release-addresses';
import type { PreviewDetails } from '~/components/releases/release-form';
import { PUBLISH_WAITS, RELEASE_FAILED, splitPlatforms } from '~/components/releases/release-texts';
import type { UploadDetails } from '~/components/releases/upload/running-uploads';
import { requireAdmin, actorOf } from '~/http/auth/session.server';
import {
  operationForm,
  noFields,
  pageForms,
  switchField,
  textField,
  type FormContext,
} from '~/http/forms/page-forms.server';
import type { UploadShape } from '~/http/forms/read-upload.server';
import { guardReleaseUpload } from '~/routes/api/calls/release-upload-guard.server';
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
export const createForms = pageForms(
  { path: RELEASES_PATH, access: requireAdmin, failed: RELEASE_FAILED },
  {
    create: operationForm(releaseOperations.create, {
      schema: releaseForm,
      input: (values) => ({ ...values, published: false }),
      outcome: ({ id }) => ({ to: releaseAddress(id) }),
    }),
  },
);

interface Address {
  params: { id?: string | undefined };
}

const idOf = ({ params }: Address) => params.id ?? '';

/** The input of publishing. Throws `Conflict` for a release without files. */
async function readPublishing(_: unknown, address: Address) {
  const id = idOf(address);
  if (splitPlatforms(await requireRelease(serverContext().db, id)).present.length === 0)
    throw new DomainError('Conflict', {
      code: 'no_release_file',
      message: PUBLISH_WAITS,
    });
  return { id, changes: { published: true } };
}

/** The file of a form, as the file of its platform. Throws its refusal. */
async function readFile({ platform }: z.output<typeof uploadForm>, { params, files }: FormContext<Viewer>) {
  const [arrived] = files ?? [];
  if (arrived === undefined) throw RELEASE_FILE.refusal('missing');
  if (arrived.refused !== undefined) throw arrived.refused;
  const { version } = await requireRelease(serverContext().db, idOf({ params }));
  return { version, platform, changes: {}, file: arrived.file };
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
export const releaseForms = pageForms(
  {
    path: (address) => releaseAddress(idOf(address)),
    access: requireAdmin,
    failed: RELEASE_FAILED,
    files: { intent: 'upload', shape: uploadShape },
  },
  {
    upload: operationForm(releaseOperations.upload, {
      schema: uploadForm,
      input: readFile,
      outcome: (_, { platform }) => ({ details: { platform } satisfies UploadDetails }),
    }),
    'cancel-upload': operationForm(releaseOperations.cancelUpload, {
      schema: cancelForm,
      input: ({ uploadId }) => ({ id: uploadId }),
      outcome: (_, { platform }) => ({ details: { platform } satisfies UploadDetails }),
      // It has ended already, perhaps cancelled by another admin.
      caught: ({ kind }, { platform }) =>
        kind === 'NotFound'
          ? { message: UPLOAD_CANCELLED, details: { platform } satisfies UploadDetails }
          : null,
    }),
    save: operationForm(releaseOperations.change, {
      schema: releaseForm,
      input: (changes, context) => ({ id: idOf(context), changes }),
    }),
    preview: {
      schema: previewForm,
      async run(values) {
        const { renderReleaseNotes } = await import('#shared/releases/release-notes.server');
        const details: PreviewDetails = { html: renderReleaseNotes(values.releaseNotes) };
        return { stay: true, values, details };
      },
    },
    publish: operationForm(releaseOperations.change, { schema: noFields, input: readPublishing }),
    withdraw: operationForm(releaseOperations.change, {
      schema: noFields,
      input: (_, context) => ({ id: idOf(context), changes: { published: false } }),
    }),
  },
);

/** The form that deletes a release. */
export const deleteForms = pageForms(
  { path: RELEASES_PATH, access: requireAdmin, failed: RELEASE_FAILED },
  {
    delete: operationForm(releaseOperations.delete, {
      schema: noFields,
      input: (_, context) => ({ id: idOf(context) }),
    }),
  },
);
