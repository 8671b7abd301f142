import { redirect } from '@remix-run/node';
import { plainAnswer } from '~/http/forms/plain-answer.server';
import { CROSS_ORIGIN_MESSAGE } from '~/http/server/same-origin.server';

/** Nothing to read here: writes are led here that another site sent to one of our pages. */
export function loader() {
  return redirect('/');
}

export function action() {
  return plainAnswer(CROSS_ORIGIN_MESSAGE, 403);
}
