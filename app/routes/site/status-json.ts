import type { LoaderFunctionArgs } from '@remix-run/node';
import { unavailableResponse } from '~/http/api/response.server';
import { loadOptional } from '~/http/server/failures.server';
import { statusAudience } from './status-audience.server';
import { publicStatus } from './status-state.server';
import { publicText } from '~/routes/site/public-text.server';

/** The public status for programs, as the caller may see it; 503 while it cannot be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  const audience = await statusAudience(request);
  const status = await loadOptional(() => publicStatus(audience));
  if (status === null) return unavailableResponse();
  const response = publicText(request, JSON.stringify(status), 'application/json');
  response.headers.set('Vary', 'Cookie');
  // The head start of Pro must not be shared.
  if (audience === 'instant') response.headers.set('Cache-Control', 'private, no-cache');
  return response;
}
