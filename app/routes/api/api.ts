import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { API_ROUTES } from '~/api-routes';
import { createApiTable } from '~/http/api/api-table.server';
import { failureAnswer } from '~/http/api/json-answer.server';

const find = createApiTable(API_ROUTES);

/** Whatever the API does not have, whatever the method. */
function nothingHere(): Response {
  return failureAnswer({
    status: 404,
    code: 'not_found',
    message: 'There is no such call in this API. /api/openapi.json lists them all.',
  });
}

function pathOf({ request }: LoaderFunctionArgs | ActionFunctionArgs): string {
  return new URL(request.url).pathname.replace(/^\/+api\/?/i, '');
}

export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const found = find(pathOf(args));
  return found === null ? nothingHere() : found.module.loader({ ...args, params: found.params });
}

export async function action(args: ActionFunctionArgs): Promise<Response> {
  const found = find(pathOf(args));
  return found === null ? nothingHere() : found.module.action({ ...args, params: found.params });
}
