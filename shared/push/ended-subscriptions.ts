import { DAY, toIso } from '../clock';
import { deleteOlder } from '../database/delete-in-batches';
import type { Database, Transaction } from '../database/schema';
import type { EndedPushSubscriptionsTable } from '../database/tables/members/push-subscriptions';

/** Why a subscription ended. `refused`: the push service refuses our key for it. */
export type EndReason = EndedPushSubscriptionsTable['why'];

/** How long the account page lists a device whose subscription ended. */
export const ENDED_RETENTION_MS = 90 * DAY;

const SUBSCRIPTION = ['id', 'user_id', 'endpoint', 'p256dh', 'auth', 'user_agent', 'created_at'] as const;

/** Ends a subscription that its push service ended or refuses; its browser can subscribe again. Nothing if it is gone. */
export async function endSubscription(
  trx: Transaction,
  { id, why, now }: { id: string; why: EndReason; now: number },
): Promise<void> {
  const ended = await trx
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .returning(SUBSCRIPTION)
    .executeTakeFirst();
  if (ended === undefined) return;
  await trx
    .insertInto('ended_push_subscriptions')
    .values({ ...ended, why, ended_at: toIso(now) })
    .execute();
}

/**
 * Restores the subscriptions that ended for this reason at or after `since` (epoch ms): the fault was the push service's
 * or ours. `host`: those of one push service; null: all. Leaves out those that were added anew. Returns their ids.
 */
export async function restoreSubscriptions(
  trx: Transaction,
  { host, why, since }: { host: string | null; why: EndReason; since: number },
): Promise<string[]> {
  const ended = await trx
    .selectFrom('ended_push_subscriptions')
    .select(SUBSCRIPTION)
    .where('ended_at', '>=', toIso(since))
    .where('why', '=', why)
    .execute();
  const restored = ended.filter(({ endpoint }) => host === null || endpointHost(endpoint) === host);
  for (const row of restored) {
    await trx.deleteFrom('ended_push_subscriptions').where('id', '=', row.id).execute();
    await trx
      .insertInto('push_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return restored.map(({ id }) => id);
}

/** The host (and port) of a stored endpoint, which is an absolute URL: https://HOST/PATH. */
export function endpointHost(endpoint: string): string {
  return endpoint.split('/', 3)[2] ?? '';
}

/** A member's devices whose subscriptions ended, the newest end first. */
export function listEnded(db: Database, userId: string) {
  return db
    .selectFrom('ended_push_subscriptions')
    .select(['id', 'endpoint', 'user_agent', 'created_at', 'ended_at'])
    .where('user_id', '=', userId)
    .orderBy('ended_at', 'desc')
    .orderBy('id')
    .limit(20)
    .execute();
}

/** Deletes what is known of subscriptions that ended 90 days ago. Returns how many. `now`: epoch ms. */
export function purgeEndedSubscriptions(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'ended_push_subscriptions', now - ENDED_RETENTION_MS, 'ended_at');
}
