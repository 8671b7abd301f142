import { readHealth } from '#shared/health.server';
import { jsonAnswer } from '~/http/api/response.server';
import { serverContext } from '~/http/server/context.server';

/** Whether pages can be served: without Redis or the daemon they can (`degraded`), without the database not. */
export async function loader() {
  const { db, redis, clock } = serverContext();
  const health = await readHealth(db, redis, clock);
  return jsonAnswer(health, { status: health.status === 'down' ? 503 : 200 });
}
