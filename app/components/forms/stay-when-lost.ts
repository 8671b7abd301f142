import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react';
import type { FormAnswer } from './form-answer';

/**
 * A route's `clientAction`: when its action cannot be reached, the page stays and says so with the form's own
 * sentence, in place of the error page. `failed`: that sentence per intent.
 */
export function stayWhenLost(failed: Readonly<Record<string, string>>) {
  return async ({ request, serverAction }: ClientActionFunctionArgs) => {
    const form = await request.clone().formData();
    try {
      return await serverAction<FormAnswer>();
    } catch (error) {
      // Redirects and refusals by status are answers.
      if (error instanceof Response || isRouteErrorResponse(error)) throw error;
      const intent = String(form.get('intent') ?? '');
      const answer: FormAnswer = { intent, ok: false, message: failed[intent] ?? 'This could not be sent.' };
      // `revalidateUnlessLost` goes by this status. A Response, since the status of anything else is overwritten
      // (@remix-run/react, singleFetchActionStrategy).
      return Response.json(answer, { status: 503 });
    }
  };
}
