import type { Selectable } from 'kysely';
import { z } from 'zod';
import { writeAudit, type Actor } from '../../audit/write-audit';
import type { Clock } from '../../clock';
import { bumpContentVersion } from '../../content/content-version';
import type { Database, Transaction } from '../../database/schema';
import type { RetailersTable } from '../../database/tables/monitor/products';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import { shorten } from '../../text';
import { discordRole } from '../monitor-settings';
import { watchFields } from '../watches/watch-fields';

export type Retailer = Selectable<RetailersTable>;

/** The longest name of a shop. */
const NAME_LENGTH = 60;

/** The retailer of a page, by the page's host (with its port). A new one is called `name`, else as its host. */
export async function findOrAddRetailer(
  trx: Transaction,
  { url, name }: { url: string; name?: string | undefined },
): Promise<Retailer> {
  const { host } = new URL(url);
  const known = await trx.selectFrom('retailers').selectAll().where('host', '=', host).executeTakeFirst();
  if (known !== undefined) return known;
  await trx
    .insertInto('retailers')
    .values({ id: newId(), host, name: name ?? shorten(host.replace(/^www\./, ''), { fits: NAME_LENGTH }) })
    .execute();
  return trx.selectFrom('retailers').selectAll().where('host', '=', host).executeTakeFirstOrThrow();
}

/** Finds a retailer by its host. Throws `NotFound` (`unknown_retailer`). */
export async function requireRetailer(db: Database, host: string): Promise<Retailer> {
  const retailer = await db.selectFrom('retailers').selectAll().where('host', '=', host).executeTakeFirst();
  if (retailer !== undefined) return retailer;
  throw new DomainError('NotFound', {
    code: 'unknown_retailer',
    message: `There is no retailer at ${shorten(host, { fits: 100 })}.`,
  });
}

/** The fields of a retailer that an admin changes. */
export const retailerChanges = z
  .object({
    name: watchFields.shape.shop,
    supported: z.boolean().describe('Whether it is named among the shops whose products can be followed.'),
    canary: z
      .string()
      .max(100)
      .nullable()
      .describe('The slug of its watch whose offer is always in stock; null: none.'),
    roleInstant: discordRole
      .nullable()
      .describe(
        'The id of the Discord role that alerts of its products ping; null: the one of the settings.',
      ),
    roleFree: discordRole.nullable().describe('The same for the free audience.'),
  })
  .partial();
export type RetailerChanges = z.output<typeof retailerChanges>;

/**
 * Changes fields of a retailer, and its name in its watches, and writes the audit log. Throws `NotFound`
 * (`unknown_retailer`) and `Invalid` when the canary is no watch of this retailer.
 */
export async function changeRetailer(
  db: Database,
  { host, changes, actor, clock }: { host: string; changes: RetailerChanges; actor: Actor; clock: Clock },
): Promise<Retailer> {
  return inTransaction(db, async (trx) => {
    const retailer = await requireRetailer(trx, host);
    const { name = retailer.name, canary, roleInstant, roleFree } = changes;
    const supported = changes.supported === undefined ? retailer.supported : changes.supported ? 1 : 0;
    const canaryId =
      canary === undefined ? retailer.canary_watch_id : await canaryIdOf(trx, retailer, canary);
    const values = {
      name,
      supported,
      canary_watch_id: canaryId,
      role_id_instant: roleInstant === undefined ? retailer.role_id_instant : roleInstant || null,
      role_id_free: roleFree === undefined ? retailer.role_id_free : roleFree || null,
    } as const;
    const changed = Object.entries(values).filter(
      ([column, value]) => retailer[column as keyof typeof values] !== value,
    );
    if (changed.length === 0) return retailer;
    const isOtherCanary = canaryId !== retailer.canary_watch_id;
    await trx
      .updateTable('retailers')
      .set({ ...values, ...(isOtherCanary ? { held_notified_at: null } : {}) })
      .where('id', '=', retailer.id)
      .execute();
    if (name !== retailer.name)
      await trx.updateTable('watches').set({ shop: name }).where('retailer_id', '=', retailer.id).execute();
    const details = { host, ...Object.fromEntries(changed) };
    await writeAudit(trx, { actor, action: 'retailer.change', subject: retailer.id, details }, clock.now());
    await bumpContentVersion(trx);
    return requireRetailer(trx, host);
  });
}

async function canaryIdOf(trx: Transaction, { id }: Retailer, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const watch = await trx
    .selectFrom('watches')
    .select('id')
    .where('slug', '=', slug)
    .where('retailer_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (watch !== undefined) return watch.id;
  const message = 'Please choose a watch of this shop.';
  throw new DomainError('Invalid', { code: 'other_shop', message, fieldErrors: { canary: [message] } });
}
