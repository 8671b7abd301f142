import { DEFAULT_WATCH_ID } from '../../brand';
import { prepareQuery } from '../../database/prepare-query';
import type { Database, Transaction } from '../../database/schema';
import type { WebhooksTable } from '../../database/tables/monitor/watches';

type Audience = WebhooksTable['audience'];

/** Identifies a webhook: of a retailer, of a watch, or by default of the first watch. A retailer has no admin webhook. */
export interface WebhookKey {
  retailerId?: string | undefined;
  watchId?: string | undefined;
  audience: Audience;
}

/** The webhook that messages of a watch use. Secret: never show or log it. */
export interface UsedWebhook {
  from: 'watch' | 'retailer' | 'default';
  key: WebhookKey;
  /** The sealed URL. */
  stored: string;
  /** Why Discord rejected it; null while it is trusted. */
  fault: string | null;
  /** The role that the first message pings, or null. */
  roleId: string | null;
}

interface Used {
  watchId: string;
  audience: Audience;
}

const selectOwn = prepareQuery((db, { watchId, audience, role }: Used & { role: string }) =>
  db
    .selectFrom('webhooks')
    .leftJoin('monitor_settings', (join) => join.on('setting_key', '=', role))
    .select(['sealed_url', 'state', 'last_fault', 'setting_value'])
    .where('watch_id', '=', watchId)
    .where('audience', '=', audience),
);

const selectInherited = prepareQuery(
  (db, { watchId, audience, role, defaultId }: Used & { role: string; defaultId: string }) =>
    db
      .selectFrom('watches')
      .innerJoin('retailers', 'retailers.id', 'watches.retailer_id')
      .leftJoin('retailer_webhooks as theirs', (join) =>
        join.onRef('theirs.retailer_id', '=', 'retailers.id').on('theirs.audience', '=', audience as 'free'),
      )
      .leftJoin('webhooks as first', (join) =>
        join.on('first.watch_id', '=', defaultId).on('first.audience', '=', audience),
      )
      .leftJoin('monitor_settings', (join) => join.on('setting_key', '=', role))
      .select([
        'retailers.id as retailerId',
        'role_id_instant',
        'role_id_free',
        'theirs.sealed_url as theirUrl',
        'theirs.state as theirState',
        'theirs.last_fault as theirFault',
        'first.sealed_url as firstUrl',
        'first.state as firstState',
        'first.last_fault as firstFault',
        'setting_value',
      ])
      .where('watches.id', '=', watchId),
);

const selectAudiences = prepareQuery((db, { watchId }: { watchId: string }) =>
  db.selectFrom('webhooks').select('audience').where('watch_id', '=', watchId),
);

const selectProductAudiences = prepareQuery(
  (db, { watchId, defaultId }: { watchId: string; defaultId: string }) =>
    db
      .selectFrom('webhooks')
      .select('audience')
      .where('watch_id', 'in', [watchId, defaultId])
      .union(
        db
          .selectFrom('retailer_webhooks')
          .innerJoin('watches', 'watches.retailer_id', 'retailer_webhooks.retailer_id')
          .select('audience')
          .where('watches.id', '=', watchId),
      ),
);

const roleOf = (...ids: (string | null)[]): string | null =>
  ids.find((id) => id !== null && /^\d{17,20}$/.test(id)) ?? null;

/**
 * Finds the webhook for messages of a watch to an audience: the watch's own, else for a product its retailer's, else that
 * of the first watch. A product without its own webhook pings its retailer's role; all others ping the role in the
 * monitor's settings. Null when there is none.
 */
export async function findUsedWebhook(
  db: Database | Transaction,
  { watchId, audience }: Used,
): Promise<UsedWebhook | null> {
  const role = `discord_role_id_${audience}`;
  const [own] = await selectOwn(db, { watchId, audience, role });
  if (own !== undefined)
    return {
      from: 'watch',
      key: { watchId, audience },
      stored: own.sealed_url,
      fault: own.state === 'rejected' ? own.last_fault : null,
      roleId: roleOf(own.setting_value),
    };
  const [found] = await selectInherited(db, { watchId, audience, role, defaultId: DEFAULT_WATCH_ID });
  if (found === undefined) return null;
  const ownRole =
    audience === 'instant' ? found.role_id_instant : audience === 'free' ? found.role_id_free : null;
  const roleId = roleOf(ownRole, found.setting_value);
  if (found.theirUrl !== null)
    return {
      from: 'retailer',
      key: { retailerId: found.retailerId, audience },
      stored: found.theirUrl,
      fault: found.theirState === 'rejected' ? found.theirFault : null,
      roleId,
    };
  if (found.firstUrl === null) return null;
  return {
    from: 'default',
    key: { watchId: DEFAULT_WATCH_ID, audience },
    stored: found.firstUrl,
    fault: found.firstState === 'rejected' ? found.firstFault : null,
    roleId,
  };
}

/** The audiences that get the alerts of a watch, as `findUsedWebhook` finds their webhooks. */
export async function listUsedAudiences(
  trx: Transaction,
  { watchId, isProduct }: { watchId: string; isProduct: boolean },
): Promise<ReadonlySet<Audience>> {
  const rows = isProduct
    ? await selectProductAudiences(trx, { watchId, defaultId: DEFAULT_WATCH_ID })
    : await selectAudiences(trx, { watchId });
  return new Set(rows.map(({ audience }) => audience));
}
