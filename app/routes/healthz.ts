import { readHealth } from '#shared/health.server';
import { jsonResponse } from '~/http/api/response.server';
import { serverContext } from '~/http/server/context.server';

/** Health of the site: `degraded` without Redis or the daemon, `down` (503) without the database. */
export async function loader() {
  const { db, redis, clock } = serverContext();
  const health = await readHealth(db, redis, clock);
  return jsonResponse(health, { status: health.status === 'down' ? 503 : 200 });
}
