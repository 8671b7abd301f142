import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import type { Behaviour, CrowdShops } from './crowd-shops';

export interface CrowdWatch {
  id: string;
  behaviour: Behaviour;
}

/** A third flaps, one hangs, one redirects to our own network; a tenth of the others has pages of 600 KB. */
export function planCrowd(count: number): CrowdWatch[] {
  return Array.from({ length: count }, (_unused, index) => {
    const behaviour: Behaviour =
      index === 0
        ? 'hanging'
        : index === 1
          ? 'inward'
          : index % 3 === 0
            ? 'flapping'
            : index % 10 === 1
              ? 'large'
              : 'open';
    return { id: `crowd-${index}`, behaviour };
  });
}

/** Stores the watches of a crowd with an instant webhook each, stopped, around the clock. */
export async function addCrowd(
  db: Database,
  crowd: readonly CrowdWatch[],
  { shops, intervalSeconds }: { shops: Pick<CrowdShops, 'pageUrl' | 'webhookUrl'>; intervalSeconds: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const { id, behaviour } of crowd) {
      await trx
        .insertInto('watches')
        .values({
          id,
          slug: id,
          shop: `Shop ${id}`,
          title: `Shop ${id}`,
          url: shops.pageUrl(id, behaviour),
          time_zone: 'Europe/London',
          hours: '0-24',
          interval_seconds: intervalSeconds,
        })
        .execute();
      await trx
        .insertInto('webhooks')
        .values({
          watch_id: id,
          audience: 'instant',
          sealed_url: shops.webhookUrl(id),
          updated_at: toIso(Date.now()),
        })
        .execute();
    }
  });
}

/** Starts the checks of a crowd, all at the same time. */
export async function startCrowd(db: Database, crowd: readonly CrowdWatch[]): Promise<void> {
  await db
    .updateTable('watches')
    .set({ running: 1, started_at: toIso(Date.now()) })
    .where(
      'id',
      'in',
      crowd.map(({ id }) => id),
    )
    .execute();
}
