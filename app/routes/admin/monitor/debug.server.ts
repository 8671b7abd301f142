import { findCheckDetails } from '#shared/monitor/checks/reading/check-details';
import type { Watch } from '#shared/monitor/watches/watches';
import { beginningOf } from '~/components/monitor/check/raw-response';
import type { DebugData } from '~/components/monitor/debug-dialog';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';

/** The data of the dialog that `?debug=1` opens; null while it is closed. */
export async function readDebug(request: Request, watch: Watch): Promise<DebugData | null> {
  if (!new URL(request.url).searchParams.has('debug')) return null;
  const { id: watchId, slug, last_check_id: checkId } = watch;
  if (checkId === null) return { slug, latest: 'none' };
  const found = await loadOptional(async () => findCheckDetails(serverContext().db, { watchId, checkId }));
  if (found === null) return { slug, latest: 'failed' };
  const { body, ...latest } = found;
  const response = { checkId, length: latest.bodyLength, beginning: beginningOf(body) };
  return { slug, latest: { ...latest, response } };
}
