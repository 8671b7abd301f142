import type { LoaderFunctionArgs } from '@remix-run/node';
import { pollResponse } from '~/http/api/response.server';
import { requireAdmin } from '~/http/auth/session.server';
import { readHistory } from '~/routes/admin/monitor/history.server';
import { findOnlyWatch, watchOrRedirect } from '~/routes/admin/monitor/watch-page.server';
import { MONITOR_PATH, watchAddress } from '~/components/monitor/monitor-addresses';

/** The checks of the last day of a watch, for its open screen to poll; 503 while they cannot be read. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await watchOrRedirect(params.slug);
  const path = (await findOnlyWatch()) === null ? watchAddress(watch.slug) : MONITOR_PATH;
  return pollResponse(() => readHistory(request, watch, path));
}
