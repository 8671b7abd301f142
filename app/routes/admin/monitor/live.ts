import type { LoaderFunctionArgs } from '@remix-run/node';
import { jsonResponse } from '~/http/api/response.server';
import { requireAdmin } from '~/http/auth/session.server';
import { BUSY_RETRY_SECONDS, loadOptional } from '~/http/server/failures.server';
import { readLiveWatch, requireWatch } from '~/routes/admin/monitor/watch-page.server';

/** What a watch shows now, for its open screen to poll; 503 while it cannot be read. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await requireWatch(params.slug);
  const live = await loadOptional(() => readLiveWatch(watch));
  if (live !== null) return jsonResponse(live, { status: 200 });
  return jsonResponse(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}
