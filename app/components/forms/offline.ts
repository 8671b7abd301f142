import {
  isRouteErrorResponse,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunction,
} from '@remix-run/react';
import type { FormResult } from '#shared/site/form-result';

type Params = ClientActionFunctionArgs['params'];

/** The message for a form without its own. */
export const NOT_SENT = 'This could not be sent. Please try again.';

/** The message for a form whose session has ended. */
const SESSION_ENDED =
  'You are signed out, so this was not saved. Sign in again in another tab, then press the button here again.';

/** The text fields of a form. */
function textsOf(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Whether a location is the sign-in to which the server redirects visitors of a member's page. */
const isSignIn = (location: string) => location.startsWith('/?auth=login');

/**
 * Returns the `clientAction` of a page with `pageForms`. If the session has ended, or the request or the action fails, the page keeps its input and
 * shows the intent's message from `failed`; Remix would show the error page. A redirect to the current page only
 * revalidates its data, because a navigation would cancel a pending one. `refuseRedirect` may return a message to show
 * instead of following a redirect that would lose input.
 */
export function keepFormOnNetworkError(
  failed: Readonly<Record<string, string>>,
  refuseRedirect?: (location: string, sent: { intent: string; params: Params }) => string | null,
) {
  return async ({ request, params, serverAction }: ClientActionFunctionArgs) => {
    // The browser has the whole form already; Remix sends the original.
    // oxlint-disable-next-line no-restricted-properties
    const form = await request.clone().formData();
    const intent = String(form.get('intent') ?? '');
    let message = failed[intent] ?? NOT_SENT;
    try {
      return await serverAction<FormResult>();
    } catch (error) {
      const location = error instanceof Response ? error.headers.get('Location') : null;
      const refusal =
        location === null
          ? null
          : (refuseRedirect?.(location, { intent, params }) ?? (isSignIn(location) ? SESSION_ENDED : null));
      if (refusal !== null) message = refusal;
      else if (location !== null && location === window.location.pathname + window.location.search)
        return null;
      else if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    }
    const result: FormResult = { intent, ok: false, message, values: textsOf(form) };
    // This status prevents a revalidation, which would fail too (`revalidateUnlessOffline`). A Response, because Remix
    // overwrites the status of anything else (@remix-run/react, singleFetchActionStrategy).
    return Response.json(result, { status: 503 });
  };
}

/** Intents that ask for a passkey's challenge: they change no data of a page. */
const CHALLENGES: unknown[] = ['passkeyStart', 'startPasskey'];

/**
 * A route's `shouldRevalidate`: no revalidation after a form that could not be sent, and none after a request for a challenge.
 * The second may be sent without the visitor's doing, and a lost connection then would replace the page by the error page; and
 * the browser's answer may follow at once, which would cancel a pending revalidation.
 */
export const revalidateUnlessOffline: ShouldRevalidateFunction = ({
  actionStatus,
  formData,
  defaultShouldRevalidate,
}) => actionStatus !== 503 && !CHALLENGES.includes(formData?.get('intent')) && defaultShouldRevalidate;
