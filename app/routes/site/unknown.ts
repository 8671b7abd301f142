import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { textResponse } from '~/http/server/failures.server';

/** Redirects unknown pages home. A missing asset of an earlier build is a 404, or browsers would run HTML as a script. */
function answer({ request }: LoaderFunctionArgs): Response {
  if (new URL(request.url).pathname.startsWith('/assets/')) return textResponse('This file is gone.', 404);
  return redirect('/');
}

export { answer as action, answer as loader };
