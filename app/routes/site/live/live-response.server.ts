import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { jsonResponse, unavailableResponse } from '~/http/api/response.server';
import { loadOptional } from '~/http/server/failures.server';
import { statusAudience } from '../status-audience.server';

/** Answers a page that polls. `read` gets the parameter `watch`; null: 404. 503 while the data cannot be read. */
export async function liveResponse(
  request: Request,
  read: (audience: Audience, slug: string | null) => Promise<object | null>,
): Promise<Response> {
  const audience = await statusAudience(request);
  const slug = new URL(request.url).searchParams.get('watch');
  const loaded = await loadOptional(async () => ({ data: await read(audience, slug) }));
  if (loaded === null) return unavailableResponse();
  return jsonResponse(loaded.data, { status: loaded.data === null ? 404 : 200 });
}
