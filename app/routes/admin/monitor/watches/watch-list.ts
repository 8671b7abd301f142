import type { LoaderFunctionArgs } from '@remix-run/node';
import { jsonResponse } from '~/http/api/response.server';
import { requireAdmin } from '~/http/auth/session.server';
import { BUSY_RETRY_SECONDS, loadOptional } from '~/http/server/failures.server';
import { readWatchList } from '~/routes/admin/monitor/watches/watch-list.server';

/** The watches with their states, for the open list to poll; 503 while they cannot be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const list = await loadOptional(() => readWatchList(request));
  if (list !== null) return jsonResponse(list, { status: 200 });
  return jsonResponse(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}
