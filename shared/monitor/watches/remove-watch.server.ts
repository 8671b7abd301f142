import { sql } from 'kysely';
import { closeRemovedAlerts } from '../../alerts/alert-changes';
import { announceEnd } from '../../alerts/product-announcements';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../../brand';
import { toIso } from '../../clock';
import { bumpContentVersion } from '../../content/content-version';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { setWatchRole } from '../../roles/watch-roles';
import { syncScheduler } from '../../queues/check-schedulers';
import { stopMonitoring } from '../start-stop';
import { readWatch, type Watch } from './watches';
import type { WatchContext } from './add-watch.server';

/**
 * Deletes a watch and writes the audit log: ends its alert, whose messages are edited, stops its checks, drops a running
 * check, takes its role from its members, frees its slug, and tells the followers of its product if no other watch sees it sold.
 * Its checks and alerts are kept as long as others. Its webhooks are deleted once no message waits for them. Throws `Conflict`
 * (`watch_is_permanent`) for the default watch.
 */
export async function removeWatch(
  { db, clock, queues }: Pick<WatchContext, 'db' | 'clock' | 'queues'>,
  { watch, actor }: { watch: Watch; actor: Actor },
): Promise<void> {
  if (watch.id === DEFAULT_WATCH_ID)
    throw new DomainError('Conflict', {
      code: 'watch_is_permanent',
      message: `${watch.title} cannot be deleted. Stop it instead.`,
    });
  await inTransaction(db, async (trx) => {
    const now = clock.now();
    const { deleted_at, slug, product_id: productId } = await readWatch(trx, watch.id);
    if (deleted_at !== null) return;
    await closeRemovedAlerts(trx, { watchId: watch.id, now });
    await stopMonitoring(trx, { actor, clock, watchId: watch.id });
    await setWatchRole(trx, { watchId: watch.id, roleId: '' });
    await trx
      .updateTable('watches')
      .set((row) => ({
        deleted_at: toIso(now),
        slug: `deleted-${watch.id}`,
        silence_notified_at: null,
        // The result of a running check presents an older token.
        lease_owner: null,
        lease_until: null,
        lease_token: row('lease_token', '+', 1),
      }))
      .where('id', '=', watch.id)
      .execute();
    if (productId !== null) await announceEnd(trx, { productId, now });
    await writeAudit(trx, { actor, action: 'watch.remove', subject: watch.id, details: { slug } }, now);
    await bumpContentVersion(trx);
  });
  await deleteWebhooksOfRemoved(db);
  if (queues === null || !queues.isReady()) return;
  // The watch is deleted: a scheduler that stays is removed by the daemon.
  await syncScheduler(queues, {
    watch: { ...watch, running: 0 },
    checking: false,
    now: clock.now(),
  }).catch(() => undefined);
}

/** Deletes the webhooks of deleted watches that no unfinished message needs. */
export async function deleteWebhooksOfRemoved(db: Database): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .deleteFrom('webhooks')
      .where('watch_id', 'in', (from) =>
        from.selectFrom('watches').select('id').where('deleted_at', 'is not', null),
      )
      .where('watch_id', 'not in', (from) =>
        from
          .selectFrom('alert_deliveries')
          .select('destination')
          // Written exactly as in the partial index.
          .where(sql<boolean>`status in ('pending', 'sending', 'outdated')`),
      )
      .execute(),
  );
}
