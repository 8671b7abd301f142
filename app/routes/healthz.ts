import { readHealth } from '#shared/status/health.server';
import { jsonResponse } from '~/http/api/response.server';
import { serverContext } from '~/http/server/context.server';

/** Health of the site, for monitoring: 503 without the database. */
export async function loader() {
  const health = await readHealth(serverContext());
  return jsonResponse(health, { status: health.status === 'down' ? 503 : 200 });
}
