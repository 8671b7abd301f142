import type { ShouldRevalidateFunction } from '@remix-run/react';
import { clearDraft } from '~/components/editor/drafts/local-draft';
import { keepFormOnNetworkError } from '~/components/forms/offline';
import { ARTICLE_FAILED, draftKeyOf, SIGNED_OUT } from './articles';

/**
 * The `clientAction` of an article's pages: keeps the text if the server is unreachable, or if the session has ended and the
 * response redirects away from the editor screen.
 */
export const stayOnArticle = keepFormOnNetworkError(ARTICLE_FAILED, (location, { intent, params }) => {
  if (intent !== 'save' && intent !== 'overwrite') return null;
  if (!location.startsWith('/dashboard/articles')) return SIGNED_OUT;
  // The article is saved, so its local draft is obsolete.
  clearDraft(draftKeyOf(params.id));
  return null;
});

/**
 * A route's `shouldRevalidate`: no revalidation after a rejected form. If another admin has deleted the article, it would
 * remove the user's input and the row that shows the error.
 */
export const skipRevalidationOnRejection: ShouldRevalidateFunction = ({
  actionResult,
  defaultShouldRevalidate,
}) => {
  const isRejection =
    typeof actionResult === 'object' &&
    actionResult !== null &&
    'ok' in actionResult &&
    actionResult.ok === false;
  return isRejection ? false : defaultShouldRevalidate;
};
