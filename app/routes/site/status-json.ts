import type { LoaderFunctionArgs } from '@remix-run/node';
import { unavailableResponse } from '~/http/api/response.server';
import { loadOptional } from '~/http/server/failures.server';
import { publicStatus } from '~/http/site/status-state.server';
import { publicText } from '~/routes/site/public-text.server';

/** The public status for programs; 503 while it cannot be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  const status = await loadOptional(publicStatus);
  if (status !== null) return publicText(request, JSON.stringify(status), 'application/json');
  return unavailableResponse();
}
