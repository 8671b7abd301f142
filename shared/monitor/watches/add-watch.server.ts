import { z } from 'zod';
import type { WebhookAddress } from '../../channels/discord/webhook-address';
import {
  AUDIENCES,
  confirmWebhook,
  storeWebhook,
  type Audience,
  type WebhookContext,
} from '../../alerts/webhooks/webhooks';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { bumpContentVersion } from '../../content/content-version';
import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import type { PublicWeb } from '../../network/public-web.server';
import type { Queues } from '../../queues/connection.server';
import { readWatch, type Watch } from './watches';
import { visitNewPage } from '../hosts/visit-new-page.server';
import { findOrAddProduct } from '../products/products';
import { findOrAddRetailer } from '../products/retailers';
import { requireWatchablePage } from './page-address.server';
import { freeSlug } from './slugs';
import {
  NEW_WATCH,
  requireInterval,
  TITLE_LENGTH,
  watchFields,
  type NewWatch,
  type WatchFields,
} from './watch-fields';
import { WEBHOOK_FIELDS } from './webhook-fields';
import { shorten } from '../../text';

/** Two cores check this many waiting rooms every minute (`npm run bench -- watches`) beside this many products. */
const MAX_WATCHES = { waiting_room: 200, product: 1_000 } as const;

/** The context for adding, changing and removing watches. */
export interface WatchContext extends WebhookContext {
  web: PublicWeb;
  /** MONITOR_TARGET_URL. */
  targetUrl: string;
  /** Null without Redis. */
  queues: Queues | null;
}

/** A watch as it was saved, and why its page cannot be read now: a sentence, or null. */
export type SavedWatch = Watch & { pageFault: string | null };

/**
 * Adds a watch, stopped, and writes the audit log. Its page must be public; whether it can be read now is part of the
 * result. First Discord must confirm each webhook; an empty webhook counts as none. The watch of a product names its product
 * and its retailer, which are found or added (`findOrAddProduct`, `findOrAddRetailer`). Throws `Invalid` with the field in
 * `fieldErrors` (webhooks: `WEBHOOK_FIELDS`; `robots_disallowed`: robots.txt forbids the page and no permission is stated), `Conflict` (`too_many_watches`, `already_watched`) and `BadGateway` when
 * Discord cannot confirm a webhook.
 */
export async function addWatch(
  context: WatchContext,
  {
    fields,
    webhooks = {},
    actor,
  }: { fields: NewWatch; webhooks?: Partial<Record<Audience, string | undefined>>; actor: Actor },
): Promise<SavedWatch> {
  const { db, keyring, clock } = context;
  const { kind, timeZone } = fields;
  const defaults = NEW_WATCH[kind];
  const { hours = defaults.hours, intervalSeconds = defaults.intervalSeconds } = fields;
  const names = kind === 'product' ? null : requireNames(fields);
  requireInterval(kind, intervalSeconds);
  await requireFreeWatch(db, kind);
  const permission = fields.robotsPermission ?? '';
  const { url, fault } = await requireWatchablePage(
    context.web,
    fields.url,
    kind === 'product' ? (page, find) => visitNewPage(context, { url: page, permission }, find) : undefined,
  );
  const confirmed: { audience: Audience; address: WebhookAddress }[] = [];
  for (const audience of AUDIENCES) {
    const entered = webhooks[audience]?.trim() ?? '';
    if (entered === '') continue;
    confirmed.push({ audience, address: await confirmWebhook(context, entered, WEBHOOK_FIELDS[audience]) });
  }
  return inTransaction(db, async (trx) => {
    await requireFreeWatch(trx, kind);
    const now = clock.now();
    const { shop, title, ...columns } = names ?? (await offerOf(trx, { ...fields, url }, now));
    const slug = await freeSlug(trx, { title, shop });
    const id = newId();
    await trx
      .insertInto('watches')
      .values({
        id,
        slug,
        shop,
        title,
        url,
        time_zone: timeZone,
        hours,
        interval_seconds: intervalSeconds,
        ...columns,
      })
      .execute();
    const details = { slug, shop, title, url, hours, timeZone, intervalSeconds, ...columns };
    await writeAudit(
      trx,
      {
        actor,
        action: 'watch.add',
        subject: id,
        details: { ...details, ...(fault === null ? {} : { pageFault: fault }) },
      },
      now,
    );
    for (const { audience, address } of confirmed)
      await storeWebhook(trx, { watchId: id, audience, address, keyring, actor, now });
    await bumpContentVersion(trx);
    return { ...(await readWatch(trx, id)), pageFault: fault };
  });
}

/** The names of the watch of a waiting room. Throws `Invalid` when one is missing or too long. */
function requireNames(fields: NewWatch): Pick<WatchFields, 'shop' | 'title'> {
  const named = watchFields.pick({ shop: true, title: true }).safeParse(fields);
  if (named.success) return named.data;
  const { fieldErrors } = z.flattenError(named.error);
  const [message = ''] = Object.values(fieldErrors).flat();
  throw new DomainError('Invalid', { code: 'invalid', message, fieldErrors });
}

/** The product and the retailer of a new watch, and the names that follow. Throws `Conflict` (`already_watched`). */
async function offerOf(trx: Transaction, fields: NewWatch, now: number) {
  const { url, variantKey: variant_key = null, fetchAs = 'page', robotsPermission, paidFetch } = fields;
  const same = await trx
    .selectFrom('watches')
    .select(['slug', 'variant_key'])
    .where('kind', '=', 'product')
    .where('url', '=', url)
    .where('deleted_at', 'is', null)
    .execute();
  const twin = same.find((watch) => watch.variant_key === variant_key);
  if (twin !== undefined) {
    const message = `The watch ${twin.slug} already checks this page.`;
    throw new DomainError('Conflict', { code: 'already_watched', message, fieldErrors: { url: [message] } });
  }
  const product = await findOrAddProduct(trx, fields, now);
  const retailer = await findOrAddRetailer(trx, { url, name: fields.shop });
  return {
    shop: retailer.name,
    title: shorten(`${product.title} @ ${retailer.name}`, { fits: TITLE_LENGTH }),
    kind: fields.kind,
    product_id: product.id,
    retailer_id: retailer.id,
    variant_key,
    fetch_as: fetchAs,
    robots_permission: robotsPermission || null,
    paid_fetch: paidFetch === true ? (1 as const) : (0 as const),
  };
}

/** Throws `Conflict` when there are as many watches of a kind as are allowed. */
async function requireFreeWatch(db: WatchContext['db'] | Transaction, kind: Watch['kind']): Promise<void> {
  const { watches } = await db
    .selectFrom('watches')
    .select((select) => select.fn.countAll<number>().as('watches'))
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const most = MAX_WATCHES[kind];
  if (Number(watches) < most) return;
  const what = kind === 'product' ? `${most.toLocaleString('en-GB')} watches of products` : `${most} watches`;
  throw new DomainError('Conflict', {
    code: 'too_many_watches',
    message: `There are already ${what}, which is the maximum. Delete one first.`,
  });
}
