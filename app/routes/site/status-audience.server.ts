import { hasHeadStart } from '#shared/accounts/profile';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { findPublicViewer } from '~/http/auth/session.server';

/**
 * For whom a public page shows the state of waiting rooms: signed-in Pro members and admins see it at once (instant),
 * everyone else when the free channel is notified (free).
 */
export async function statusAudience(request: Request): Promise<Audience> {
  const viewer = await findPublicViewer(request);
  return viewer !== null && hasHeadStart(viewer) ? 'instant' : 'free';
}
