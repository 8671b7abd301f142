import type { LoaderFunctionArgs } from '@remix-run/node';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { findRoomWatch } from '#shared/monitor/watches/watches';
import { serverContext } from '~/http/server/context.server';
import { readLiveMonitor } from '../site-state.server';
import { liveResponse } from './live-response.server';

/** Null for an unknown watch. */
async function readLive(audience: Audience, slug: string | null) {
  if (slug === null) return readLiveMonitor(audience);
  const watch = await findRoomWatch(serverContext().db, slug);
  return watch === null ? null : readLiveMonitor(audience, watch.id);
}

/** The data of the live card: of the default watch, or of the one whose slug is in `watch`. */
export function loader({ request }: LoaderFunctionArgs) {
  return liveResponse(request, readLive);
}
