import { closeMovedAlerts } from '../alerts/alert-changes';
import type { Delivery } from '../alerts/deliveries/deliveries';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { listWatches, urlOf } from './watches/watches';

/**
 * Closes the alerts of other pages than the one that a watch checks, and resets what the detector remembers of them:
 * misses in a row, a weak sign, a pause after a block, the state and price of an offer. The result of a running check is dropped. Returns the
 * messages to edit.
 */
export async function moveWatch(
  trx: Transaction,
  { watchId, targetUrl, now }: { watchId: string; targetUrl: string; now: number },
): Promise<Delivery[]> {
  await trx
    .updateTable('watches')
    .set((row) => ({
      opens_in_row: 0,
      weak_since: null,
      recheck_due_at: null,
      last_availability: null,
      last_detail: null,
      last_price_amount: null,
      last_price_currency: null,
      body_hash: null,
      etag: null,
      last_modified: null,
      refusals_in_row: 0,
      not_before: null,
      next_check_at: null,
      page_read_at: null,
      discontinued_at: null,
      // A running check presents an older token.
      lease_owner: null,
      lease_until: null,
      lease_token: row('lease_token', '+', 1),
    }))
    .where('id', '=', watchId)
    .execute();
  return closeMovedAlerts(trx, { watchId, targetUrl, now });
}

/**
 * Moves the watches whose page is no longer the one of their last check (MONITOR_TARGET_URL was changed). The daemon
 * calls it at start. Returns the messages to edit.
 */
export function followTarget(
  db: Database,
  { targetUrl, now }: { targetUrl: string; now: number },
): Promise<Delivery[]> {
  return inTransaction(db, async (trx) => {
    const outdated: Delivery[] = [];
    for (const watch of await listWatches(trx)) {
      const url = urlOf(watch, { targetUrl });
      const last =
        watch.last_check_id === null
          ? undefined
          : await trx
              .selectFrom('monitor_checks')
              .select('target_url')
              .where('id', '=', watch.last_check_id)
              .executeTakeFirst();
      const move = { watchId: watch.id, targetUrl: url, now };
      const isMoved = last !== undefined && last.target_url !== url;
      outdated.push(...(isMoved ? await moveWatch(trx, move) : await closeMovedAlerts(trx, move)));
    }
    return outdated;
  });
}
