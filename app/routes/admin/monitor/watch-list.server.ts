import { listWatches } from '#shared/monitor/watches';
import type { ListedWatch } from '~/components/monitor/watch-list';
import { serverContext } from '~/http/server/context.server';

/** The watches, by slug. */
export async function readWatchList(): Promise<ListedWatch[]> {
  const watches = await listWatches(serverContext().db);
  return watches.map(({ slug, title }) => ({ slug, title }));
}
