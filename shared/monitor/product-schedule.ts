import { toIso } from '../clock';
import type { Database } from '../database/schema';
import { inStatement } from '../database/transaction';
import { averageSpacingMs, hostOf, hostPauseEnd, type Host } from './hosts/host-turns';
import { HURRIED_FOR_MS, pacedIntervalMs, paceOf, type HostPace } from './product-timing';
import type { Watch } from './watches/watches';

/** A product watch that runs, as much as its schedule needs. */
export type ScheduledProduct = Pick<
  Watch,
  | 'id'
  | 'url'
  | 'hours'
  | 'time_zone'
  | 'interval_seconds'
  | 'last_availability'
  | 'hurried_until'
  | 'discontinued_at'
  | 'next_check_at'
  | 'weak_since'
>;

function selectRunning(db: Database) {
  return db
    .selectFrom('watches')
    .select([
      'id',
      'url',
      'hours',
      'time_zone',
      'interval_seconds',
      'last_availability',
      'hurried_until',
      'discontinued_at',
      'next_check_at',
      'weak_since',
    ])
    .where('kind', '=', 'product')
    .where('running', '=', 1)
    .where('deleted_at', 'is', null);
}

/** Groups watches by the host of their page, each group in the given order. */
export function byHostOf(watches: readonly ScheduledProduct[]): Map<string, ScheduledProduct[]> {
  const groups = new Map<string, ScheduledProduct[]>();
  for (const watch of watches) {
    const host = hostOf(watch.url ?? '');
    const group = groups.get(host);
    if (group === undefined) groups.set(host, [watch]);
    else group.push(watch);
  }
  return groups;
}

/** Lists the product watches whose check is due, the one that is due longest first. `now`: epoch ms. */
export function listDueProducts(db: Database, now: number): Promise<ScheduledProduct[]> {
  return selectRunning(db)
    .where((where) =>
      where.or([where('next_check_at', 'is', null), where('next_check_at', '<=', toIso(now))]),
    )
    .orderBy((order) => order.fn.coalesce('next_check_at', order.val('')))
    .orderBy('id')
    .execute();
}

/** A host with product watches that run: how many, its pace, and the row of its turns (null before the first request). */
export interface HostLoad {
  products: number;
  /** How often each is checked on average (ms). */
  everyMs: number;
  pace: HostPace;
  host: Host | null;
}

/** Reads what the hosts of the running product watches bear, by host. */
export async function readHostLoads(db: Database, now: number): Promise<Map<string, HostLoad>> {
  const rows = new Map((await db.selectFrom('hosts').selectAll().execute()).map((row) => [row.host, row]));
  const byHost = byHostOf(await selectRunning(db).execute());
  return new Map(
    [...byHost].map(([name, watches]) => {
      const host = rows.get(name) ?? null;
      const pace = paceOf(watches, { spacingMs: averageSpacingMs(host), now });
      const checksPerMs = watches.reduce((sum, watch) => sum + 1 / pacedIntervalMs(watch, pace, now), 0);
      return [name, { products: watches.length, everyMs: watches.length / checksPerMs, pace, host }];
    }),
  );
}

/** When the pause of a host ends (epoch ms); 0 without one. */
export function pauseEndOf({ host }: HostLoad, now: number): number {
  return host === null ? 0 : hostPauseEnd(host, now);
}

/** Plans the next check of a product watch that could not be checked now, unless it has been checked since. */
export async function postponeProduct(
  db: Database,
  { id, next_check_at }: Pick<ScheduledProduct, 'id' | 'next_check_at'>,
  until: number,
): Promise<void> {
  await inStatement(db, (trx) =>
    trx
      .updateTable('watches')
      .set({ next_check_at: toIso(until) })
      .where('id', '=', id)
      .where('next_check_at', next_check_at === null ? 'is' : '=', next_check_at)
      .execute(),
  );
}

/** Hurries the other shops of a product that is in stock again: they are checked now, and more often for ten minutes. */
export async function hurrySiblings(
  db: Database,
  { watchId, now }: { watchId: string; now: number },
): Promise<void> {
  await inStatement(db, (trx) =>
    trx
      .updateTable('watches')
      .set({ hurried_until: toIso(now + HURRIED_FOR_MS), next_check_at: toIso(now) })
      .where('kind', '=', 'product')
      .where('running', '=', 1)
      .where('id', '!=', watchId)
      .where('discontinued_at', 'is', null)
      .where('product_id', '=', (where) =>
        where.selectFrom('watches as source').select('source.product_id').where('source.id', '=', watchId),
      )
      .where((where) =>
        where.or([
          where('last_availability', 'is', null),
          where('last_availability', 'not in', ['in_stock', 'limited']),
        ]),
      )
      .execute(),
  );
}
