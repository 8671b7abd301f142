import type { ShouldRevalidateFunction } from '@remix-run/react';
import { isArticleAnswer } from './article-answer';

function isRefusal(result: unknown): boolean {
  return (
    isArticleAnswer(result) ||
    (typeof result === 'object' && result !== null && 'ok' in result && result.ok === false)
  );
}

/**
 * A route's `shouldRevalidate`: what was refused changed nothing, and the page stays as it was. Were it loaded anew, an
 * article that somebody else deleted would take away what was typed, and the row that says what failed.
 */
export const keepWhenRefused: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  isRefusal(actionResult) ? false : defaultShouldRevalidate;
