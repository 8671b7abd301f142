import type { LoaderFunctionArgs } from '@remix-run/node';
import { jsonResponse } from '~/http/api/response.server';
import { requireAdmin } from '~/http/auth/session.server';
import { BUSY_RETRY_SECONDS, loadOptional } from '~/http/server/failures.server';
import { readHistory } from '~/routes/admin/monitor/history.server';
import { findOnlyWatch, requireWatch } from '~/routes/admin/monitor/watch-page.server';
import { MONITOR_PATH, watchAddress } from '~/components/monitor/monitor-addresses';

/** The checks of the last day of a watch, for its open screen to poll; 503 while they cannot be read. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await requireWatch(params.slug);
  const path = (await findOnlyWatch()) === null ? watchAddress(watch.slug) : MONITOR_PATH;
  const history = await loadOptional(() => readHistory(request, watch, path));
  if (history !== null) return jsonResponse(history, { status: 200 });
  return jsonResponse(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}
