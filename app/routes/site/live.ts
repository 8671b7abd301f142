import type { LoaderFunctionArgs } from '@remix-run/node';
import { findWatch } from '#shared/monitor/watches/watches';
import { jsonResponse, unavailableResponse } from '~/http/api/response.server';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';
import { readLiveMonitor } from '~/http/site/site-state.server';

/** Undefined for an unknown watch. */
async function readLive(slug: string | null) {
  if (slug === null) return readLiveMonitor();
  const watch = await findWatch(serverContext().db, slug);
  return watch === null ? undefined : readLiveMonitor(watch.id);
}

/**
 * The data of the live card, for open pages to poll: of the default watch, or of the one whose slug is in `watch`. 503
 * while it cannot be read.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const live = await loadOptional(() => readLive(new URL(request.url).searchParams.get('watch')));
  if (live === undefined) return jsonResponse(null, { status: 404 });
  if (live !== null) return jsonResponse(live, { status: 200 });
  return unavailableResponse();
}
