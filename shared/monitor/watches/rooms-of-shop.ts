import { fromIso, SECOND } from '../../clock';
import type { Database } from '../../database/schema';
import { listRoomWatches, urlOf, type Watch } from './watches';

/** A waiting-room check this recent is not repeated, no matter how many products are behind the room. */
const CHECKED_WITHIN_MS = 15 * SECOND;

/**
 * Lists the waiting-room watches of the shop whose page `pageUrl` is behind a waiting room, unless they see the room
 * already or have just been checked. `targetUrl` is MONITOR_TARGET_URL; `now`: epoch ms.
 */
export async function listRoomsToCheck(
  db: Database,
  { pageUrl, targetUrl, now }: { pageUrl: string; targetUrl: string; now: number },
): Promise<Watch[]> {
  const host = URL.parse(pageUrl)?.host;
  return (await listRoomWatches(db)).filter((watch) => {
    const { last_verdict, last_checked_at: at } = watch;
    if (URL.parse(urlOf(watch, { targetUrl }))?.host !== host) return false;
    return (
      last_verdict !== 'waiting_room' && (at === null || Math.abs(now - fromIso(at)) > CHECKED_WITHIN_MS)
    );
  });
}
