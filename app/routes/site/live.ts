import { BUSY_RETRY_SECONDS, loadOptional } from '~/http/server/failures.server';
import { jsonAnswer } from '~/http/api/response.server';
import { readLiveMonitor } from '~/http/site/site-state.server';

/** The data of the live card, for open pages to poll; 503 while it cannot be read. */
export async function loader() {
  const live = await loadOptional(readLiveMonitor);
  if (live !== null) return jsonAnswer(live, { status: 200 });
  return jsonAnswer(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}
