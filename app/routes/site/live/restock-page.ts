import type { LoaderFunctionArgs } from '@remix-run/node';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { findRoomWatch } from '#shared/monitor/watches/watches';
import { serverContext } from '~/http/server/context.server';
import { readWatchedRoom } from '~/routes/site/restock.server';
import { liveResponse } from './live-response.server';

/** The state of the waiting room of a watch, all parts from one read. */
export function loader({ request }: LoaderFunctionArgs) {
  return liveResponse(request, async (audience, slug) => {
    const watch = await findRoomWatch(serverContext().db, slug ?? DEFAULT_WATCH_ID);
    return watch === null ? null : readWatchedRoom(audience, watch.id);
  });
}
