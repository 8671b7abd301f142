import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { clearDraft } from '~/components/editor/local-draft';
import { draftKeyOf, VERSION_FIELD } from './article-draft';
import type { ArticleAnswer } from './article-answer';
import {
  FEATURED_IMAGE_FAILED,
  MEDIA_CHANGE_FAILED,
  MEDIA_MOVE_FAILED,
  SAVE_FAILED,
  SIGNED_OUT,
} from './article-texts';

const stayOnMedia = stayWhenLost({
  caption: MEDIA_CHANGE_FAILED,
  'move-up': MEDIA_MOVE_FAILED,
  'move-down': MEDIA_MOVE_FAILED,
  'feature-image': FEATURED_IMAGE_FAILED,
  'unfeature-image': FEATURED_IMAGE_FAILED,
});

function refused(sentence: string, form: FormData) {
  // Without the values: they still stand in the form.
  const answer: ArticleAnswer = {
    form: 'article',
    lastResult: { status: 'error', error: { '': [sentence] } },
    conflict: false,
    gone: false,
    version: String(form.get(VERSION_FIELD) ?? ''),
  };
  // With this status nothing is loaded anew, which could only fail as well; `answerUnlessLost` says why it is a Response.
  return Response.json(answer, { status: 503 });
}

/** Whether an answer leads away from the desk: the session has ended meanwhile. */
function leadsAway(answer: Response): boolean {
  return answer.headers.get('Location')?.startsWith('/dashboard/articles') === false;
}

/** The `clientAction` of an article's pages: what was written stays when the server is out of reach or knows us no more. */
export async function stayOnArticle(args: ClientActionFunctionArgs) {
  const form = await args.request.clone().formData();
  const intent = form.get('intent');
  if (intent !== 'save' && intent !== 'overwrite') return stayOnMedia(args);
  try {
    return await args.serverAction<ArticleAnswer>();
  } catch (error) {
    if (error instanceof Response) {
      if (leadsAway(error)) return refused(SIGNED_OUT, form);
      // It was saved: the draft that this browser kept has done its work.
      clearDraft(draftKeyOf(args.params.id));
      throw error;
    }
    if (isRouteErrorResponse(error) && error.status < 500) throw error;
    return refused(SAVE_FAILED, form);
  }
}
