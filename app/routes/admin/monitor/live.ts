import type { LoaderFunctionArgs } from '@remix-run/node';
import { pollResponse } from '~/http/api/response.server';
import { requireAdmin } from '~/http/auth/session.server';
import { readLiveWatch, watchOrRedirect } from '~/routes/admin/monitor/watch-page.server';

/** What a watch shows now, for its open screen to poll; 503 while it cannot be read. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const watch = await watchOrRedirect(params.slug);
  return pollResponse(() => readLiveWatch(watch));
}
