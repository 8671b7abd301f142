import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { addMedia } from '#shared/news/media/add-media.server';
import { changeMedia, moveMedia } from '#shared/news/media/arrange-media';
import { MEDIA_FILE } from '#shared/news/media/media-rules';
import { altTextField, captionField } from '#shared/news/media/media-fields';
import { setFeaturedImage } from '#shared/news/save-article.server';
import { ARTICLE_FAILED, UPLOAD_FAILED, type MediaDetails } from '~/components/articles/articles';
import { failureOf, logPageError } from '~/http/server/failures.server';
import { textField, type FormContext, type FormOutcome, type PageForm } from '~/http/forms/page-forms.server';
import type { ArrivedFile, UploadShape } from '~/http/forms/read-upload.server';
import { actorOf, writeOf } from '~/http/auth/write-of.server';
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

const featureImage = (mediaId: string | null, { params, viewer }: FormContext<Viewer>) =>
  setFeaturedImage(serverContext().db, { id: params.id ?? '', mediaId, ...writeOf(viewer) });

/** The forms of an article's images and videos. */
export const mediaForms = {
  'move-up': mediaButton('move-up', 'Order changed.', move('up')),
  'move-down': mediaButton('move-down', 'Order changed.', move('down')),
  'feature-image': mediaButton('feature-image', 'Featured image set.', featureImage),
  'unfeature-image': mediaButton('unfeature-image', 'Featured image removed.', (_, context) =>
    featureImage(null, context),
  ),
  caption: {
    schema: captionForm,
    async run({ mediaId, ...words }, { viewer }) {
      await changeMedia(serverContext().db, { mediaId, ...words, ...writeOf(viewer) });
      return { details: { mediaId } satisfies MediaDetails };
    },
    done: 'Caption saved.',
    refused: () => ARTICLE_FAILED.caption,
  } satisfies PageForm<typeof captionForm, Viewer>,
  upload: {
    schema: z.object({}),
    run: (_, context) => addFiles(context),
    done: 'Files uploaded.',
  } satisfies PageForm<z.ZodObject<Record<never, never>>, Viewer>,
};

/** Why a file was not added; null: it was. */
async function addFile(
  { file, refused }: ArrivedFile,
  { params, viewer }: FormContext<Viewer>,
): Promise<string | null> {
  if (refused !== undefined) return refused.message;
  try {
    await serverContext().limits.take([{ limit: 'upload', key: viewer.account.id }]);
    const actor = actorOf(viewer);
    await addMedia(serverContext(), { articleId: params.id ?? '', file, actor });
    return null;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) logPageError(error, { message: 'a file could not be added' });
    return failure?.message ?? UPLOAD_FAILED;
  }
}

/** Adds the files of a form to an article. A refused file is named with the reason, and the others are added. */
async function addFiles(context: FormContext<Viewer>): Promise<FormOutcome | void> {
  const files = context.files ?? [];
  if (files.length === 0) throw MEDIA_FILE.refusal('missing');
  const refusedFiles: { name: string; reason: string }[] = [];
  for (const file of files) {
    const reason = await addFile(file, context);
    if (reason !== null) refusedFiles.push({ name: file.name, reason });
  }
  if (refusedFiles.length === 0) return;
  return { ok: false, message: UPLOAD_FAILED, details: { refusedFiles } satisfies MediaDetails };
}
