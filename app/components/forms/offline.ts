import {
  isRouteErrorResponse,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunction,
} from '@remix-run/react';
import type { FormResult } from './result';

type Params = ClientActionFunctionArgs['params'];

/** For a form that has no sentence of its own. */
export const NOT_SENT = 'This could not be sent. Please try again.';

/**
 * The browser's half of `pageForms`: a page's `clientAction`. A form that cannot be sent, or whose action fails, gets a
 * refusal with its sentence out of `failed`, and the page stays with all that was typed; Remix would show the error page.
 * A redirect back to the page that is shown only loads its data anew: a navigation would break off another one.
 * `refuseRedirect`: the sentence in place of a redirect that would lose what was typed.
 */
export function keepFormOnNetworkError(
  failed: Readonly<Record<string, string>>,
  refuseRedirect?: (location: string, sent: { intent: string; params: Params }) => string | null,
) {
  return async ({ request, params, serverAction }: ClientActionFunctionArgs) => {
    const form = await request.clone().formData();
    const intent = String(form.get('intent') ?? '');
    let message = failed[intent] ?? NOT_SENT;
    try {
      return await serverAction<FormResult>();
    } catch (error) {
      const location = error instanceof Response ? error.headers.get('Location') : null;
      const refusal = location === null ? null : (refuseRedirect?.(location, { intent, params }) ?? null);
      if (refusal !== null) message = refusal;
      else if (location !== null && location === window.location.pathname + window.location.search)
        return null;
      else if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    }
    const values = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
    const result = { intent, ok: false, message, values } as FormResult;
    // With this status nothing is loaded anew, which would fail as well (`revalidateUnlessOffline`). A Response, since
    // Remix overwrites the status of anything else (@remix-run/react, singleFetchActionStrategy).
    return Response.json(result, { status: 503 });
  };
}

/** A route's `shouldRevalidate`: after a form that could not be sent nothing is loaded anew. */
export const revalidateUnlessOffline: ShouldRevalidateFunction = ({
  actionStatus,
  defaultShouldRevalidate,
}) => (actionStatus === 503 ? false : defaultShouldRevalidate);
