import { sql, type Selectable } from 'kysely';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../../brand';
import { toIso, type Clock } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
import type { WebhooksTable } from '../../database/tables/monitor/watches';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import type { Keyring } from '../../secrets.server';
import type { DiscordWebhooks } from '../../channels/discord/discord-webhook.server';
import { renderTestMessage } from '../render-discord-message';
import {
  maskWebhook,
  parseWebhookAddress,
  requireWebhookAddress,
  type WebhookAddress,
} from '../../channels/discord/webhook-address';
import { findUsedWebhook, type WebhookKey } from './used-webhook';
import { openWebhook, sealAgain, sealWebhook, UNREADABLE_WEBHOOK } from './webhook-seal.server';

export const AUDIENCES = ['instant', 'free', 'admin'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The audiences for which a retailer may have a webhook. */
export const RETAILER_AUDIENCES = ['instant', 'free'] as const satisfies readonly Audience[];

/** The name of each audience's webhook in the API and the audit log. */
export const WEBHOOK_SETTING: Record<Audience, string> = {
  instant: 'discord_webhook_url',
  free: 'discord_webhook_url_free',
  admin: 'discord_webhook_url_admin',
};

/** The table that holds a webhook, and its key there. */
type WebhookPlace =
  | { retailerId: string; audience: 'instant' | 'free' }
  | { retailerId: null; watchId: string; audience: Audience };

/** Throws `Invalid` (`unknown_audience`) for the admin webhook of a retailer. */
function placeOf({ retailerId, watchId = DEFAULT_WATCH_ID, audience }: WebhookKey): WebhookPlace {
  if (retailerId === undefined) return { retailerId: null, watchId, audience };
  if (audience !== 'admin') return { retailerId, audience };
  const message = 'A retailer has an instant and a free webhook.';
  throw new DomainError('Invalid', {
    code: 'unknown_audience',
    message,
    fieldErrors: { audience: [message] },
  });
}

export interface StoredWebhook {
  /** Null when no secret decrypts the stored webhook (see `fault`); it then counts as not set. */
  url: string | null;
  /** Why Discord rejected it; null while it is trusted. */
  fault: string | null;
}

/** Finds the webhook of an audience, or null. Secret: never show or log it. */
export async function findWebhook(
  { db, keyring }: Pick<WebhookContext, 'db' | 'keyring'>,
  key: WebhookKey,
): Promise<StoredWebhook | null> {
  const place = placeOf(key);
  const row =
    place.retailerId === null
      ? await db
          .selectFrom('webhooks')
          .select(['sealed_url', 'state', 'last_fault'])
          .where('watch_id', '=', place.watchId)
          .where('audience', '=', place.audience)
          .executeTakeFirst()
      : await db
          .selectFrom('retailer_webhooks')
          .select(['sealed_url', 'state', 'last_fault'])
          .where('retailer_id', '=', place.retailerId)
          .where('audience', '=', place.audience)
          .executeTakeFirst();
  if (row === undefined) return null;
  const url = openWebhook(keyring, row.sealed_url);
  const fault = row.state === 'rejected' ? row.last_fault : null;
  return { url, fault: url === null ? UNREADABLE_WEBHOOK : fault };
}

export interface WebhookView {
  audience: Audience;
  /** Masked; null when none is set, or when the stored one cannot be read (see `fault`). */
  webhook: string | null;
  fault: string | null;
  /** The fallback webhook while none is set; null when one is set or no fallback exists. */
  inherited: { from: 'retailer' | 'default'; webhook: string | null; fault: string | null } | null;
}

const masked = (url: string | null): string | null => (url === null ? null : maskWebhook(url));

/** Lists the three webhooks of a watch, masked. */
export async function listWebhooks(
  context: Pick<WebhookContext, 'db' | 'keyring'>,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<WebhookView[]> {
  return Promise.all(
    AUDIENCES.map(async (audience) => {
      const own = await findWebhook(context, { watchId, audience });
      if (own !== null) return { audience, webhook: masked(own.url), fault: own.fault, inherited: null };
      const used = await findUsedWebhook(context.db, { watchId, audience });
      const other = used === null ? null : await findWebhook(context, used.key);
      const inherited =
        used === null || used.from === 'watch' || other === null
          ? null
          : { from: used.from, webhook: masked(other.url), fault: other.fault };
      return { audience, webhook: null, fault: null, inherited };
    }),
  );
}

/** Lists the webhooks of a retailer, masked: instant and free. */
export async function listRetailerWebhooks(
  context: Pick<WebhookContext, 'db' | 'keyring'>,
  retailerId: string,
): Promise<WebhookView[]> {
  return Promise.all(
    RETAILER_AUDIENCES.map(async (audience) => {
      const own = await findWebhook(context, { retailerId, audience });
      const first = own === null ? await findWebhook(context, { audience }) : null;
      return {
        audience,
        webhook: masked(own?.url ?? null),
        fault: own?.fault ?? null,
        inherited:
          first === null ? null : { from: 'default', webhook: masked(first.url), fault: first.fault },
      };
    }),
  );
}

export interface WebhookContext {
  db: Database;
  /** Seals and opens the stored webhooks. */
  keyring: Keyring;
  discord: DiscordWebhooks;
  allowedHosts: readonly string[];
  clock: Clock;
}

/**
 * Parses a webhook that a person entered and has Discord confirm that it exists (GET, nothing is posted). Throws
 * `Invalid`, which names `field`, for an invalid or unknown webhook, `BadGateway` when Discord cannot confirm it.
 */
export async function confirmWebhook(
  { discord, allowedHosts }: Pick<WebhookContext, 'discord' | 'allowedHosts'>,
  url: string,
  field = 'webhook_url',
): Promise<WebhookAddress> {
  const address = requireWebhookAddress(url, allowedHosts, field);
  const answer = await discord.verify(address);
  if (answer.kind === 'ok') return address;
  if (answer.kind === 'rejected' || answer.kind === 'gone') {
    const sentence =
      answer.status === 401 || answer.status === 404
        ? 'Discord does not know this webhook. Was it deleted? Copy the URL again in Discord.'
        : `Discord refuses this webhook: ${asSentence(answer.reason)}`;
    throw new DomainError('Invalid', {
      code: 'unknown_webhook',
      message: sentence,
      fieldErrors: { [field]: [sentence] },
    });
  }
  throw new DomainError('BadGateway', {
    code: 'discord_unavailable',
    message: `Discord could not confirm the webhook (${answer.reason}). Please try again.`,
  });
}

/** Stores a confirmed webhook of an audience and writes the audit log. */
export async function storeWebhook(
  trx: Transaction,
  {
    address,
    keyring,
    actor,
    now,
    ...key
  }: WebhookKey & { address: WebhookAddress; keyring: Keyring; actor: Actor; now: number },
): Promise<void> {
  const place = placeOf(key);
  const webhook = {
    sealed_url: sealWebhook(keyring, address.url),
    state: 'trusted' as const,
    updated_at: toIso(now),
  };
  if (place.retailerId === null)
    await trx
      .insertInto('webhooks')
      .values({ watch_id: place.watchId, audience: place.audience, ...webhook })
      .onConflict((conflict) => conflict.columns(['watch_id', 'audience']).doUpdateSet(webhook))
      .execute();
  else
    await trx
      .insertInto('retailer_webhooks')
      .values({ retailer_id: place.retailerId, audience: place.audience, ...webhook })
      .onConflict((conflict) => conflict.columns(['retailer_id', 'audience']).doUpdateSet(webhook))
      .execute();
  const details = { webhook: maskWebhook(address.url), ...ownerOf(place) };
  const subject = WEBHOOK_SETTING[place.audience];
  await writeAudit(trx, { actor, action: 'webhook.set', subject, details }, now);
}

/** Whose webhook it is, for the audit log. */
function ownerOf(place: WebhookPlace): { watch: string } | { retailer: string } {
  return place.retailerId === null ? { watch: place.watchId } : { retailer: place.retailerId };
}

/** Confirms and stores an audience's webhook; throws as `confirmWebhook` does. */
export async function setWebhook(
  context: WebhookContext,
  { url, actor, ...key }: WebhookKey & { url: string; actor: Actor },
): Promise<void> {
  const { db, keyring, clock } = context;
  const address = await confirmWebhook(context, url);
  await inTransaction(db, (trx) => storeWebhook(trx, { ...key, address, keyring, actor, now: clock.now() }));
}

/**
 * Seals every stored webhook, including clear text, with the newest secret, so that older secrets can be removed from
 * SESSION_SECRET after a restart. Returns watch or retailer, and audience, of each webhook that no secret decrypts.
 */
export function sealStoredWebhooks(db: Database, keyring: Keyring): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const unreadable: string[] = [];
    for (const { watch_id, audience, sealed_url } of await trx
      .selectFrom('webhooks')
      .select(['watch_id', 'audience', 'sealed_url'])
      .execute()) {
      if (openWebhook(keyring, sealed_url) === null) unreadable.push(`${watch_id}, ${audience}`);
      else
        await trx
          .updateTable('webhooks')
          .set({ sealed_url: sealAgain(keyring, sealed_url) })
          .where('watch_id', '=', watch_id)
          .where('audience', '=', audience)
          .execute();
    }
    for (const { retailer_id, audience, sealed_url } of await trx
      .selectFrom('retailer_webhooks')
      .select(['retailer_id', 'audience', 'sealed_url'])
      .execute()) {
      if (openWebhook(keyring, sealed_url) === null) unreadable.push(`retailer ${retailer_id}, ${audience}`);
      else
        await trx
          .updateTable('retailer_webhooks')
          .set({ sealed_url: sealAgain(keyring, sealed_url) })
          .where('retailer_id', '=', retailer_id)
          .where('audience', '=', audience)
          .execute();
    }
    const messages = await trx
      .selectFrom('alert_deliveries')
      .select(['id', 'sealed_webhook'])
      // Must match the condition of the partial index.
      .where(sql<boolean>`sealed_webhook is not null`)
      .execute();
    for (const { id, sealed_webhook } of messages) {
      await trx
        .updateTable('alert_deliveries')
        .set({ sealed_webhook: sealAgain(keyring, sealed_webhook ?? '') })
        .where('id', '=', id)
        .execute();
    }
    return unreadable;
  });
}

/** Deletes an audience's webhook, if there is one, and writes the audit log. */
export async function deleteWebhook(
  db: Database,
  { actor, clock, ...key }: WebhookKey & { actor: Actor; clock: Clock },
): Promise<void> {
  const place = placeOf(key);
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } =
      place.retailerId === null
        ? await trx
            .deleteFrom('webhooks')
            .where('watch_id', '=', place.watchId)
            .where('audience', '=', place.audience)
            .executeTakeFirstOrThrow()
        : await trx
            .deleteFrom('retailer_webhooks')
            .where('retailer_id', '=', place.retailerId)
            .where('audience', '=', place.audience)
            .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return;
    const entry = { actor, action: 'webhook.delete', subject: WEBHOOK_SETTING[place.audience] };
    await writeAudit(trx, { ...entry, details: ownerOf(place) }, clock.now());
  });
}

type WebhookState = Pick<Selectable<WebhooksTable>, 'state'> &
  Partial<Pick<Selectable<WebhooksTable>, 'last_fault' | 'last_fault_at'>>;

async function setState(trx: Transaction, key: WebhookKey, state: WebhookState): Promise<void> {
  const place = placeOf(key);
  if (place.retailerId === null)
    await trx
      .updateTable('webhooks')
      .set(state)
      .where('watch_id', '=', place.watchId)
      .where('audience', '=', place.audience)
      .execute();
  else
    await trx
      .updateTable('retailer_webhooks')
      .set(state)
      .where('retailer_id', '=', place.retailerId)
      .where('audience', '=', place.audience)
      .execute();
}

/** Marks a webhook as trusted: Discord accepts it again. */
export async function trustWebhook(db: Database, key: WebhookKey): Promise<void> {
  await inTransaction(db, (trx) => setState(trx, key, { state: 'trusted' }));
}

/** Marks the webhook that a watch's messages use as rejected by Discord. `fault`: the reason. */
export async function rejectWebhook(
  trx: Transaction,
  { watchId, audience, fault, now }: { watchId: string; audience: Audience; fault: string; now: number },
): Promise<void> {
  const used = await findUsedWebhook(trx, { watchId, audience });
  if (used === null) return;
  await setState(trx, used.key, { state: 'rejected', last_fault: fault, last_fault_at: toIso(now) });
}

/** The webhook that a test message goes to: of the retailer, or the one that the watch uses. */
async function findTested(context: WebhookContext, key: WebhookKey): Promise<WebhookKey> {
  if (key.retailerId !== undefined) return key;
  const { watchId = DEFAULT_WATCH_ID, audience } = key;
  return (await findUsedWebhook(context.db, { watchId, audience }))?.key ?? key;
}

/** The names in a test message. */
function readNames(db: Database, { retailerId, watchId = DEFAULT_WATCH_ID }: WebhookKey) {
  return retailerId === undefined
    ? db.selectFrom('watches').select(['shop', 'title']).where('id', '=', watchId).executeTakeFirstOrThrow()
    : db
        .selectFrom('retailers')
        .select(['name as shop', 'name as title'])
        .where('id', '=', retailerId)
        .executeTakeFirstOrThrow();
}

/** Posts a test message to the webhook of a retailer, or to the one that alerts of a watch use. Throws `NotFound` when no webhook is set and `BadGateway` when Discord refuses. */
export async function sendTestAlert(
  context: WebhookContext & { appUrl: string },
  key: WebhookKey,
): Promise<void> {
  const { audience } = key;
  const tested = await findTested(context, key);
  const stored = await findWebhook(context, tested);
  if (stored === null || stored.url === null) {
    throw new DomainError('NotFound', {
      code: 'no_webhook',
      message: `No webhook is set for the ${audience} audience${stored === null ? '' : ` (${UNREADABLE_WEBHOOK})`}.`,
    });
  }
  const address = parseWebhookAddress(stored.url, context.allowedHosts);
  if (address === null) throw testFailure('The stored webhook is not on an allowed Discord host');
  const watch = await readNames(context.db, key);
  const now = toIso(context.clock.now());
  const message = renderTestMessage({ audience, watch, appUrl: context.appUrl, now });
  const answer = await context.discord.post(address, message);
  if (answer.kind !== 'ok') throw testFailure(answer.reason);
  await trustWebhook(context.db, tested);
}

function asSentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}

/** `reason`: what Discord answered. */
function testFailure(reason: string): DomainError {
  const message = 'Failed to send test alert';
  const sentence = asSentence(reason);
  return new DomainError('BadGateway', {
    code: 'test_alert_failed',
    message,
    reason: sentence,
    operatorMessage: `${message}: ${sentence}`,
    cause: new Error(reason),
  });
}
