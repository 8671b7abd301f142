import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react';
import type { FormAnswer } from './form-answer';

/** Where a form has no sentence of its own for it. */
export const LOST = 'This could not be sent. Please try again.';

/**
 * The action's answer; when the action cannot be reached or fails, `lost(intent)` in its place, so that the page stays
 * with all that was typed. The router would put the error page there.
 */
export async function answerUnlessLost<Answer>(
  { request, serverAction }: Pick<ClientActionFunctionArgs, 'request' | 'serverAction'>,
  lost: (intent: string) => Answer,
) {
  const form = await request.clone().formData();
  try {
    return await serverAction<Answer>();
  } catch (error) {
    // Redirects and refusals are answers.
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    // With this status nothing is loaded anew, which could only fail as well (`revalidateUnlessLost`). A Response, since
    // the status of anything else is overwritten (@remix-run/react, singleFetchActionStrategy).
    return Response.json(lost(String(form.get('intent') ?? '')), { status: 503 });
  }
}

/**
 * A route's `clientAction`: when its action cannot be reached, the page stays and says so with the form's own
 * sentence. `failed`: that sentence per intent.
 */
export function stayWhenLost(failed: Readonly<Record<string, string>>) {
  return (args: ClientActionFunctionArgs) =>
    answerUnlessLost<FormAnswer>(args, (intent) => ({ intent, ok: false, message: failed[intent] ?? LOST }));
}
