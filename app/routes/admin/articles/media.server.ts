import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { articleOperations } from '#shared/news/article-operations';
import { changeMedia, moveMedia } from '#shared/news/media/arrange-media';
import { MEDIA_FILE } from '#shared/news/media/media-rules';
import { altTextField, captionField } from '#shared/news/media/media-fields';
import { mediaOperations } from '#shared/news/media/media-operations';
import { ARTICLE_FAILED, UPLOAD_FAILED, type MediaDetails } from '~/components/articles/articles';
import { failureOf, logPageError } from '~/http/server/failures.server';
import type { PerformOf } from '~/http/auth/run-operation.server';
import {
  noFields,
  operationForm,
  performingForm,
  textField,
  type FormContext,
  type FormOutcome,
  type PageForm,
} from '~/http/forms/page-forms.server';
import type { ArrivedFile, UploadShape } from '~/http/forms/read-upload.server';
import { writeOf } from '~/http/auth/session.server';
import { serverContext } from '~/http/server/context.server';

/** Maximum files of one form without scripts. */
const FILES_AT_ONCE = 10;

/** The form that uploads without scripts. */
export const UPLOAD: { intent: string; shape: UploadShape } = {
  intent: 'upload',
  shape: { files: { file: { ...MEDIA_FILE, max: FILES_AT_ONCE } } },
};

const mediaForm = z.object({ mediaId: textField });

const captionForm = z.object({
  mediaId: textField,
  altText: altTextField.default(''),
  caption: captionField.default(''),
});

/** A button for one media item. Every refusal shows the same sentence. */
function mediaButton(
  intent: keyof typeof ARTICLE_FAILED,
  done: string,
  work: (mediaId: string, context: FormContext<Viewer>) => Promise<unknown>,
) {
  return {
    schema: mediaForm,
    async run({ mediaId }, context) {
      await work(mediaId, context);
      return { details: { mediaId } satisfies MediaDetails };
    },
    done,
    refused: () => ARTICLE_FAILED[intent],
  } satisfies PageForm<typeof mediaForm, Viewer>;
}

const move =
  (direction: 'up' | 'down') =>
  (mediaId: string, { viewer }: FormContext<Viewer>) =>
    moveMedia(serverContext().db, { mediaId, direction, ...writeOf(viewer) });

/** The button that sets or removes the featured image. */
const featureImage = (intent: 'feature-image' | 'unfeature-image') =>
  operationForm(articleOperations.setFeaturedImage, {
    schema: mediaForm,
    input: ({ mediaId }, { params }) => ({
      id: params.id ?? '',
      mediaId: intent === 'feature-image' ? mediaId : null,
    }),
    outcome: (_, { mediaId }) => ({ details: { mediaId } satisfies MediaDetails }),
    refused: () => ARTICLE_FAILED[intent],
  });

/** The forms of an article's images and videos. */
export const mediaForms = {
  'move-up': mediaButton('move-up', 'Order changed.', move('up')),
  'move-down': mediaButton('move-down', 'Order changed.', move('down')),
  'feature-image': featureImage('feature-image'),
  'unfeature-image': featureImage('unfeature-image'),
  caption: {
    schema: captionForm,
    async run({ mediaId, ...words }, { viewer }) {
      await changeMedia(serverContext().db, { mediaId, ...words, ...writeOf(viewer) });
      return { details: { mediaId } satisfies MediaDetails };
    },
    done: 'Caption saved.',
    refused: () => ARTICLE_FAILED.caption,
  } satisfies PageForm<typeof captionForm, Viewer>,
  upload: performingForm(mediaOperations.add, {
    schema: noFields,
    run: (perform, _, context) => addFiles(perform, context),
  }),
};

type Add = PerformOf<typeof mediaOperations.add>;

/** The page's sentence about an added or refused file. */
async function addFile(
  add: Add,
  { file, refused }: ArrivedFile,
  context: FormContext<Viewer>,
): Promise<{ message: string } | { reason: string }> {
  if (refused !== undefined) return { reason: refused.message };
  try {
    const media = { articleId: context.params.id ?? '', file };
    return { message: (await add(media)).message };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) logPageError(error, { message: 'a file could not be added' });
    return { reason: failure?.message ?? UPLOAD_FAILED };
  }
}

/** Adds the files of a form to an article. A refused file is named with the reason, and the others are added. */
async function addFiles(add: Add, context: FormContext<Viewer>): Promise<FormOutcome> {
  const files = context.files ?? [];
  if (files.length === 0) throw MEDIA_FILE.refusal('missing');
  const refusedFiles: { name: string; reason: string }[] = [];
  let message = '';
  for (const file of files) {
    const added = await addFile(add, file, context);
    if ('reason' in added) refusedFiles.push({ name: file.name, reason: added.reason });
    else message = added.message;
  }
  if (refusedFiles.length === 0) return { message };
  return { ok: false, message: UPLOAD_FAILED, details: { refusedFiles } satisfies MediaDetails };
}
