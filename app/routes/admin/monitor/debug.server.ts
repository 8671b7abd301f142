import { findLatestDebug, type LatestDebug } from '#shared/monitor/checks/checks';
import type { Watch } from '#shared/monitor/watches';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';

/** The data of the dialog that `?debug=1` opens; null while it is closed. */
export async function readDebug(
  request: Request,
  _watch: Watch,
): Promise<{ latest: LatestDebug | null } | null> {
  if (!new URL(request.url).searchParams.has('debug')) return null;
  return { latest: await loadOptional(() => findLatestDebug(serverContext().db)) };
}
