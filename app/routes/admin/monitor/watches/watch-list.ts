import type { LoaderFunctionArgs } from '@remix-run/node';
import { pollResponse } from '~/http/api/response.server';
import { requireAdmin } from '~/http/auth/session.server';
import { readWatchList } from '~/routes/admin/monitor/watches/watch-list.server';

/** The watches with their states, for the open list to poll; 503 while they cannot be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return pollResponse(() => readWatchList(request));
}
