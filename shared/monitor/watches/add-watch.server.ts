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
import { requireWatchablePage } from './page-address.server';
import type { WatchFields } from './watch-fields';
import { WEBHOOK_FIELDS } from './webhook-fields';
import { normaliseUnicode } from '../../text';

/** Longer slugs are cut; a number that makes one unique comes on top. */
const MAX_LENGTH = 50;
/** Paths below /dashboard/monitor that are no watch, or may become one. */
const RESERVED: readonly string[] = ['new', 'add', 'list', 'all', 'checks', 'history', 'watch', 'watches'];

function simplify(text: string): string {
  return normaliseUnicode(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '');
}

/** The slug of a new watch: its title in ASCII (else its shop's name, else "shop"), with a number when taken or reserved. */
export function slugFor(
  { title, shop }: { title: string; shop: string },
  isTaken: (slug: string) => boolean,
): string {
  const base = [simplify(title), simplify(shop)].find((text) => text !== '') ?? 'shop';
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!RESERVED.includes(slug) && !isTaken(slug)) return slug;
  }
}

/** Two cores check this many every minute (`npm run bench -- watches`). */
const MAX_WATCHES = 200;

/** What adding, changing and removing watches need. */
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
 * result. First Discord must confirm each webhook; an empty webhook counts as none. Throws `Invalid` with the field in `fieldErrors` (webhooks: `WEBHOOK_FIELDS`),
 * `Conflict` (`too_many_watches`) and `BadGateway` when Discord cannot confirm a webhook.
 */
export async function addWatch(
  context: WatchContext,
  {
    fields,
    webhooks = {},
    actor,
  }: { fields: WatchFields; webhooks?: Partial<Record<Audience, string | undefined>>; actor: Actor },
): Promise<SavedWatch> {
  const { db, keyring, clock } = context;
  await requireFreeWatch(db);
  const { url, fault } = await requireWatchablePage(context.web, fields.url);
  const confirmed: { audience: Audience; address: WebhookAddress }[] = [];
  for (const audience of AUDIENCES) {
    const entered = webhooks[audience]?.trim() ?? '';
    if (entered === '') continue;
    confirmed.push({ audience, address: await confirmWebhook(context, entered, WEBHOOK_FIELDS[audience]) });
  }
  return inTransaction(db, async (trx) => {
    await requireFreeWatch(trx);
    const now = clock.now();
    const taken = await trx.selectFrom('watches').select('slug').execute();
    const slug = slugFor(fields, (candidate) => taken.some((row) => row.slug === candidate));
    const id = newId();
    const { shop, title, hours, timeZone, intervalSeconds } = fields;
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
      })
      .execute();
    await writeAudit(
      trx,
      {
        actor,
        action: 'watch.add',
        subject: id,
        details: { slug, ...fields, url, ...(fault === null ? {} : { pageFault: fault }) },
      },
      now,
    );
    for (const { audience, address } of confirmed)
      await storeWebhook(trx, { watchId: id, audience, address, keyring, actor, now });
    await bumpContentVersion(trx);
    return { ...(await readWatch(trx, id)), pageFault: fault };
  });
}

/** Throws `Conflict` when there are as many watches as are allowed. */
async function requireFreeWatch(db: WatchContext['db'] | Transaction): Promise<void> {
  const { watches } = await db
    .selectFrom('watches')
    .select((select) => select.fn.countAll<number>().as('watches'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(watches) < MAX_WATCHES) return;
  throw new DomainError('Conflict', {
    code: 'too_many_watches',
    message: `There are ${MAX_WATCHES} watches already, which is the most. Delete one first.`,
  });
}
