import type { LoaderFunctionArgs } from '@remix-run/node';
import { BUSY_RETRY_SECONDS } from '~/http/failures.server';
import { jsonAnswer } from '~/http/api/response.server';
import { readLiveMonitor } from '~/http/site/live-monitor.server';
import { loadOptional } from '~/http/forms/load-optional.server';

/** What the live card shows, for pages that are open already; 503 while it cannot be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  const live = await loadOptional(request, readLiveMonitor);
  if (live !== null) return jsonAnswer(live, { status: 200 });
  return jsonAnswer(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}
