import { BUSY_RETRY_SECONDS, loadOptional } from '~/http/server/failures.server';
import { jsonResponse } from '~/http/api/response.server';
import { readLiveMonitor } from '~/http/site/site-state.server';

/** The data of the live card, for open pages to poll; 503 while it cannot be read. */
export async function loader() {
  const live = await loadOptional(readLiveMonitor);
  if (live !== null) return jsonResponse(live, { status: 200 });
  return jsonResponse(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}
