import {
  isRouteErrorResponse,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunction,
} from '@remix-run/react';
import type { FormResult } from './result';

/** For a form that has no sentence of its own. */
export const NOT_SENT = 'This could not be sent. Please try again.';

/** Whether a redirect leads to the address that the browser shows already. */
function staysHere(redirect: Response): boolean {
  const location = redirect.headers.get('Location');
  return location !== null && location === window.location.pathname + window.location.search;
}

/**
 * The browser's half of `pageForms`: a page's `clientAction`. A form that cannot be sent, or whose action fails, gets a
 * refusal with its sentence out of `failed`, and the page stays with all that was typed; Remix would show the error page.
 * A redirect back to the page that is shown only loads its data anew: a navigation would break off another one.
 */
export function keepFormOnNetworkError(failed: Readonly<Record<string, string>>) {
  return async ({ request, serverAction }: Pick<ClientActionFunctionArgs, 'request' | 'serverAction'>) => {
    const form = await request.clone().formData();
    try {
      return await serverAction<FormResult>();
    } catch (error) {
      if (error instanceof Response && staysHere(error)) return null;
      if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
      const intent = String(form.get('intent') ?? '');
      const result: FormResult = { intent, ok: false, message: failed[intent] ?? NOT_SENT };
      // With this status nothing is loaded anew, which would fail as well (`revalidateUnlessOffline`). A Response, since
      // Remix overwrites the status of anything else (@remix-run/react, singleFetchActionStrategy).
      return Response.json(result, { status: 503 });
    }
  };
}

/** A route's `shouldRevalidate`: after a form that could not be sent nothing is loaded anew. */
export const revalidateUnlessOffline: ShouldRevalidateFunction = ({
  actionStatus,
  defaultShouldRevalidate,
}) => (actionStatus === 503 ? false : defaultShouldRevalidate);
