import { FREE_DELAY_MS } from './alert-timing';
import type { Alert } from './alert-changes';
import type { Audience } from './webhooks/webhooks';
import { fromIso } from '../clock';
import type { Database } from '../database/schema';

/** An alert that was opened by the check that ended a pre-order: the product came in stock. */
export interface FollowingRestock {
  id: string;
  openedAt: string;
}

type EndedAlert = Pick<Alert, 'watch_id' | 'kind' | 'closing_check_id'>;

/**
 * Reads the restocks that ended pre-orders, by the id of the check that closed the one alert and opened the other. Alerts of
 * other kinds have none. `alerts`: at most a hundred.
 */
export async function readFollowingRestocks(
  db: Database,
  alerts: readonly EndedAlert[],
): Promise<Map<string, FollowingRestock>> {
  const ended = alerts.flatMap(({ kind, watch_id: watchId, closing_check_id: checkId }) =>
    kind === 'preorder' && checkId !== null ? [{ watchId, checkId }] : [],
  );
  if (ended.length === 0) return new Map();
  const rows = await db
    .selectFrom('alerts')
    .select(['id', 'opening_check_id', 'opened_at'])
    .where('watch_id', 'in', [...new Set(ended.map(({ watchId }) => watchId))])
    .where('kind', '=', 'restock')
    .where(
      'opening_check_id',
      'in',
      ended.map(({ checkId }) => checkId),
    )
    .execute();
  return new Map(rows.map((row) => [row.opening_check_id, { id: row.id, openedAt: row.opened_at }]));
}

/**
 * When the product of an ended pre-order came in stock (ISO-8601), as far as `audience` may know at `now` (epoch ms): the free
 * audience learns of stock `FREE_DELAY_MS` later. Null: it did not come in stock.
 */
export async function readInStockAt(
  db: Database,
  { alert, audience, now }: { alert: EndedAlert; audience: Audience; now: number },
): Promise<string | null> {
  const [restock] = (await readFollowingRestocks(db, [alert])).values();
  if (restock === undefined) return null;
  const isKnown = audience === 'instant' || fromIso(restock.openedAt) + FREE_DELAY_MS <= now;
  return isKnown ? restock.openedAt : null;
}
