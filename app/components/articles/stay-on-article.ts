import type { ShouldRevalidateFunction } from '@remix-run/react';
import { clearDraft } from '~/components/editor/drafts/local-draft';
import { keepFormOnNetworkError } from '~/components/forms/offline';
import { ARTICLE_FAILED, draftKeyOf, SIGNED_OUT } from './articles';

/** The `clientAction` of an article's pages: keeps the text if the server is unreachable or the session has ended. */
export const stayOnArticle = keepFormOnNetworkError(ARTICLE_FAILED, (location, { intent, params }) => {
  if (intent !== 'save' && intent !== 'overwrite') return null;
  if (!location.startsWith('/dashboard/articles')) return SIGNED_OUT;
  // The article is saved, so its local draft is obsolete.
  clearDraft(draftKeyOf(params.id));
  return null;
});

/** A route's `shouldRevalidate`: not after a rejected form, whose input and row a deleted article would remove. */
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
