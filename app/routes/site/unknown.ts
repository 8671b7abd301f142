import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { textResponse } from '~/http/server/failures.server';

/** A page that does not exist leads home; a file of an earlier build does not, it would be taken for a script. */
function answer({ request }: LoaderFunctionArgs): Response {
  if (new URL(request.url).pathname.startsWith('/assets/')) return textResponse('This file is gone.', 404);
  return redirect('/');
}

export { answer as action, answer as loader };
