import type { ShouldRevalidateFunction } from '@remix-run/react';

/** A route's `shouldRevalidate`: after a form that was lost (`answerUnlessLost`) loading anew could only fail as well. */
export const revalidateUnlessLost: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === 503 ? false : defaultShouldRevalidate;
