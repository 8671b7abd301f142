import { hasHeadStart } from '#shared/accounts/profile';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { findPublicViewer } from '~/http/auth/session.server';

/** For whom a page shows waiting rooms: signed-in Pro members and admins at once (instant), others when `free` is notified. */
export async function statusAudience(request: Request): Promise<Audience> {
  const viewer = await findPublicViewer(request);
  return viewer !== null && hasHeadStart(viewer) ? 'instant' : 'free';
}
