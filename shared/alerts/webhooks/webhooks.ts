import { sql } from 'kysely';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../../brand';
import { toIso, type Clock } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
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
import { openWebhook, sealAgain, sealWebhook, UNREADABLE_WEBHOOK } from './webhook-seal.server';

export const AUDIENCES = ['instant', 'free', 'admin'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The name of each audience's webhook in the API and the audit log. */
export const WEBHOOK_SETTING: Record<Audience, string> = {
  instant: 'discord_webhook_url',
  free: 'discord_webhook_url_free',
  admin: 'discord_webhook_url_admin',
};

/** Identifies a webhook. */
interface WebhookKey {
  watchId?: string;
  audience: Audience;
}

export interface StoredWebhook {
  /** Null when no secret opens the stored webhook, as `fault` explains. Counts as not set. */
  url: string | null;
  /** Why Discord rejected it; null while it is trusted. */
  fault: string | null;
}

/** Finds the webhook of an audience, or null. Secret: never show or log it. */
export async function findWebhook(
  { db, keyring }: Pick<WebhookContext, 'db' | 'keyring'>,
  { watchId = DEFAULT_WATCH_ID, audience }: WebhookKey,
): Promise<StoredWebhook | null> {
  const row = await db
    .selectFrom('webhooks')
    .select(['sealed_url', 'state', 'last_fault'])
    .where('watch_id', '=', watchId)
    .where('audience', '=', audience)
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
}

/** Lists the three webhooks of a watch, masked. */
export async function listWebhooks(
  context: Pick<WebhookContext, 'db' | 'keyring'>,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<WebhookView[]> {
  return Promise.all(
    AUDIENCES.map(async (audience) => {
      const { url = null, fault = null } = (await findWebhook(context, { watchId, audience })) ?? {};
      return { audience, webhook: url === null ? null : maskWebhook(url), fault };
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
    watchId,
    audience,
    address,
    keyring,
    actor,
    now,
  }: {
    watchId: string;
    audience: Audience;
    address: WebhookAddress;
    keyring: Keyring;
    actor: Actor;
    now: number;
  },
): Promise<void> {
  const webhook = {
    sealed_url: sealWebhook(keyring, address.url),
    state: 'trusted' as const,
    updated_at: toIso(now),
  };
  await trx
    .insertInto('webhooks')
    .values({ watch_id: watchId, audience, ...webhook })
    .onConflict((conflict) => conflict.columns(['watch_id', 'audience']).doUpdateSet(webhook))
    .execute();
  const details = { webhook: maskWebhook(address.url), watch: watchId };
  await writeAudit(trx, { actor, action: 'webhook.set', subject: WEBHOOK_SETTING[audience], details }, now);
}

/** Confirms and stores an audience's webhook; throws as `confirmWebhook` does. */
export async function setWebhook(
  context: WebhookContext,
  { watchId = DEFAULT_WATCH_ID, audience, url, actor }: WebhookKey & { url: string; actor: Actor },
): Promise<void> {
  const { db, keyring, clock } = context;
  const address = await confirmWebhook(context, url);
  await inTransaction(db, (trx) =>
    storeWebhook(trx, { watchId, audience, address, keyring, actor, now: clock.now() }),
  );
}

/**
 * Seals every stored webhook with the newest secret, those in clear text included, so that older secrets can be
 * removed from SESSION_SECRET after a restart. Returns the watch and audience of webhooks that no secret opens.
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
    const messages = await trx
      .selectFrom('alert_deliveries')
      .select(['id', 'sealed_webhook'])
      // Written exactly as in the partial index.
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
  { watchId = DEFAULT_WATCH_ID, audience, actor, clock }: WebhookKey & { actor: Actor; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('webhooks')
      .where('watch_id', '=', watchId)
      .where('audience', '=', audience)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return;
    const entry = { actor, action: 'webhook.delete', subject: WEBHOOK_SETTING[audience] };
    await writeAudit(trx, { ...entry, details: { watch: watchId } }, clock.now());
  });
}

/** Marks a webhook as trusted: Discord accepts it again. */
export async function trustWebhook(
  db: Database,
  { watchId = DEFAULT_WATCH_ID, audience }: WebhookKey,
): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('webhooks')
      .set({ state: 'trusted' })
      .where('watch_id', '=', watchId)
      .where('audience', '=', audience)
      .execute(),
  );
}

/** Posts a test message. Throws `NotFound` when no webhook is set and `BadGateway` when Discord refuses. */
export async function sendTestAlert(
  context: WebhookContext & { appUrl: string },
  audience: Audience,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<void> {
  const stored = await findWebhook(context, { watchId, audience });
  if (stored === null || stored.url === null) {
    throw new DomainError('NotFound', {
      code: 'no_webhook',
      message: `No webhook is set for the ${audience} audience${stored === null ? '' : ` (${UNREADABLE_WEBHOOK})`}.`,
    });
  }
  const address = parseWebhookAddress(stored.url, context.allowedHosts);
  if (address === null) throw testFailure('The stored webhook is not on an allowed Discord host');
  const watch = await context.db
    .selectFrom('watches')
    .select(['shop', 'title'])
    .where('id', '=', watchId)
    .executeTakeFirstOrThrow();
  const now = toIso(context.clock.now());
  const message = renderTestMessage({ audience, watch, appUrl: context.appUrl, now });
  const answer = await context.discord.post(address, message);
  if (answer.kind !== 'ok') throw testFailure(answer.reason);
  await trustWebhook(context.db, { watchId, audience });
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
