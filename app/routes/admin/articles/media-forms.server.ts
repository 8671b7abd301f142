import { z } from 'zod';
import type { Actor } from '#shared/audit/write-audit';
import { addMedia } from '#shared/news/add-media.server';
import { changeMedia, moveMedia } from '#shared/news/arrange-media';
import { MEDIA_FILE } from '#shared/news/media-rules';
import { altTextField, captionField } from '#shared/news/media-fields';
import { setFeaturedImage } from '#shared/news/save-article.server';
import {
  FEATURED_IMAGE_FAILED,
  MEDIA_CHANGE_FAILED,
  MEDIA_MOVE_FAILED,
  UPLOAD_FAILED,
  type Done,
} from '~/components/articles/article-texts';
import type { MediaAnswer } from '~/components/articles/media-answer';
import { attempt } from '../../../http/forms/try-action.server';
import { faultsOf } from '../../../http/api/input.server';
import type { ArrivedFile } from '../../../http/forms/read-upload.server';
import { serverContext } from '../../../http/server/context.server';

/** What is done when a form was worked, or what to answer it. */
export type MediaOutcome = { done: Done } | { refused: MediaAnswer };

interface MediaForm {
  failed: string;
  done: Done;
  work(named: { articleId: string; mediaId: string; actor: Actor }): Promise<unknown>;
}

const FORMS: Readonly<Record<string, MediaForm>> = {
  'move-up': { failed: MEDIA_MOVE_FAILED, done: 'moved', work: (named) => move('up', named) },
  'move-down': { failed: MEDIA_MOVE_FAILED, done: 'moved', work: (named) => move('down', named) },
  'feature-image': {
    failed: FEATURED_IMAGE_FAILED,
    done: 'featured-image',
    work: ({ mediaId, ...named }) => featureImage(mediaId, named),
  },
  'unfeature-image': {
    failed: FEATURED_IMAGE_FAILED,
    done: 'no-featured-image',
    work: (named) => featureImage(null, named),
  },
};

function move(direction: 'up' | 'down', { mediaId, actor }: { mediaId: string; actor: Actor }) {
  const { db, clock } = serverContext();
  return moveMedia(db, { mediaId, direction, actor, clock });
}

function featureImage(mediaId: string | null, { articleId, actor }: { articleId: string; actor: Actor }) {
  const { db, clock } = serverContext();
  return setFeaturedImage(db, { id: articleId, mediaId, actor, clock });
}

const wordsForm = z.object({ altText: altTextField, caption: captionField });

async function saveWords(
  request: Request,
  form: URLSearchParams,
  { mediaId, actor }: { mediaId: string; actor: Actor },
): Promise<MediaOutcome> {
  const { db, clock } = serverContext();
  const values = { altText: form.get('altText') ?? '', caption: form.get('caption') ?? '' };
  const refuse = (message: string, errors?: Record<string, string[]>): MediaOutcome => ({
    refused: { intent: 'caption', ok: false, message, errors, values, mediaId },
  });
  const words = wordsForm.safeParse(values);
  if (!words.success) {
    const { message, errors } = faultsOf(words.error, 'caption');
    return refuse(message, errors);
  }
  const refusal = await attempt(request, MEDIA_CHANGE_FAILED, () =>
    changeMedia(db, { mediaId, ...words.data, actor, clock }),
  );
  return refusal === null ? { done: 'caption' } : refuse(MEDIA_CHANGE_FAILED);
}

/** Works one of the forms on an article's images and videos; null for one that does not exist. */
export async function workMediaForm(
  request: Request,
  form: URLSearchParams,
  { articleId, actor }: { articleId: string; actor: Actor },
): Promise<MediaOutcome | null> {
  const intent = form.get('intent') ?? '';
  const mediaId = form.get('mediaId') ?? '';
  if (intent === 'caption') return saveWords(request, form, { mediaId, actor });
  const found = Object.hasOwn(FORMS, intent) ? FORMS[intent] : undefined;
  if (found === undefined) return null;
  const refusal = await attempt(request, found.failed, () => found.work({ articleId, mediaId, actor }));
  if (refusal === null) return { done: found.done };
  return { refused: { intent, ok: false, message: found.failed, mediaId } };
}

/** Gives an article the files of a form. One that is refused is named with the reason, and its siblings stay. */
export async function addArrivedFiles(
  request: Request,
  files: readonly ArrivedFile[],
  { articleId, actor }: { articleId: string; actor: { userId: string } },
): Promise<MediaOutcome> {
  const { limits } = serverContext();
  const refusedFiles: { name: string; reason: string }[] = [];
  for (const { name, file, refused } of files) {
    const refusal =
      refused ??
      (await attempt(request, UPLOAD_FAILED, async () => {
        await limits.take([{ limit: 'upload', key: actor.userId }]);
        await addMedia(serverContext(), { articleId, file, actor });
      }));
    if (refusal !== null) refusedFiles.push({ name, reason: refusal.message });
  }
  if (refusedFiles.length > 0) {
    return { refused: { intent: 'upload', ok: false, message: UPLOAD_FAILED, refusedFiles } };
  }
  if (files.length > 0) return { done: 'uploaded' };
  const nothing = MEDIA_FILE.refusal('missing').message;
  return { refused: { intent: 'upload', ok: false, message: nothing } };
}
