import type { ShouldRevalidateFunction } from '@remix-run/react';
import { clearDraft } from '~/components/editor/drafts/local-draft';
import { keepFormOnNetworkError } from '~/components/forms/offline';
import { ARTICLE_FAILED, draftKeyOf, SIGNED_OUT } from './articles';

/**
 * The `clientAction` of an article's pages: the text stays when the server cannot be reached, or when the session has
 * ended meanwhile and the answer leads away from the editor screen.
 */
export const stayOnArticle = keepFormOnNetworkError(ARTICLE_FAILED, (location, { intent, params }) => {
  if (intent !== 'save' && intent !== 'overwrite') return null;
  if (!location.startsWith('/dashboard/articles')) return SIGNED_OUT;
  // It was saved: the draft that this browser kept is no longer needed.
  clearDraft(draftKeyOf(params.id));
  return null;
});

/**
 * A route's `shouldRevalidate`: a refusal changed nothing, and the page stays as it is. Loaded anew, an article that
 * another admin deleted would remove what was typed, and the row that says what failed.
 */
export const keepWhenRefused: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
  const isRefusal =
    typeof actionResult === 'object' &&
    actionResult !== null &&
    'ok' in actionResult &&
    actionResult.ok === false;
  return isRefusal ? false : defaultShouldRevalidate;
};
