import { sql, type Kysely } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import type { Keyring } from '../keyring.server';
import type { DiscordWebhooks } from './discord-webhook.server';
import { renderTestMessage } from './render-discord-message';
import {
  maskWebhook,
  parseWebhookAddress,
  requireWebhookAddress,
  type WebhookAddress,
} from './webhook-address';
import { openWebhook, sealAgain, sealWebhook, UNREADABLE_WEBHOOK } from './webhook-seal.server';

export const AUDIENCES = ['instant', 'free', 'admin'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The monitor setting that holds each audience's webhook. */
export const WEBHOOK_SETTING: Record<Audience, string> = {
  instant: 'discord_webhook_url',
  free: 'discord_webhook_url_free',
  admin: 'discord_webhook_url_admin',
};

export interface StoredWebhook {
  settingKey: string;
  /** Null: no secret opens what is stored, and `fault` says so. Counts as a webhook that is not set. */
  url: string | null;
  /** Why Discord last refused it for good; null while it is trusted. */
  fault: string | null;
}

/** The stored webhook under a setting key, or null. Secret: never shown, never logged. */
export async function findWebhook(
  { db, keyring }: Pick<WebhookContext, 'db' | 'keyring'>,
  settingKey: string,
): Promise<StoredWebhook | null> {
  const row = await db
    .selectFrom('monitor_settings')
    .select(['setting_value', 'fault'])
    .where('setting_key', '=', settingKey)
    .executeTakeFirst();
  if (row === undefined) return null;
  const url = openWebhook(keyring, row.setting_value);
  return { settingKey, url, fault: url === null ? UNREADABLE_WEBHOOK : row.fault };
}

export interface ShownWebhook {
  audience: Audience;
  /** Masked; null when none is set, or when what is stored cannot be read (then `fault` says so). */
  webhook: string | null;
  fault: string | null;
}

/** The three webhooks as people may see them. */
export async function listWebhooks(context: Pick<WebhookContext, 'db' | 'keyring'>): Promise<ShownWebhook[]> {
  return Promise.all(
    AUDIENCES.map(async (audience) => {
      const { url = null, fault = null } = (await findWebhook(context, WEBHOOK_SETTING[audience])) ?? {};
      return { audience, webhook: url === null ? null : maskWebhook(url), fault };
    }),
  );
}

export interface WebhookContext {
  db: Kysely<Schema>;
  /** Seals and opens the stored webhooks. */
  keyring: Keyring;
  discord: DiscordWebhooks;
  allowedHosts: readonly string[];
  clock: Clock;
}

/**
 * Stores an audience's webhook, in `actor`'s name, after Discord has confirmed that it exists (a GET, nothing is posted).
 * Throws `Invalid` for an address that is none or that Discord does not know, `BadGateway` when Discord cannot say.
 */
export async function setWebhook(
  context: WebhookContext,
  { audience, url, actor }: { audience: Audience; url: string; actor: Actor },
): Promise<void> {
  const address = requireWebhookAddress(url, context.allowedHosts);
  const answer = await context.discord.verify(address);
  if (answer.is === 'rejected') {
    const sentence = 'Discord does not know this webhook. Was it deleted? Copy the URL again in Discord.';
    throw new DomainError('Invalid', {
      code: 'unknown_webhook',
      message: sentence,
      fieldErrors: { webhook_url: [sentence] },
    });
  }
  if (answer.is !== 'ok') {
    throw new DomainError('BadGateway', {
      code: 'discord_unavailable',
      message: `Discord could not confirm the webhook (${answer.reason}). Please try again.`,
    });
  }
  await storeWebhook(context, { settingKey: WEBHOOK_SETTING[audience], url: address.url, actor });
}

async function storeWebhook(
  { db, keyring, clock }: WebhookContext,
  { settingKey, url, actor }: { settingKey: string; url: string; actor: Actor },
): Promise<void> {
  const now = clock.now();
  const updated_at = toIso(now);
  const setting_value = sealWebhook(keyring, url);
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('monitor_settings')
      .values({ setting_key: settingKey, setting_value, fault: null, fault_at: null, updated_at })
      .onConflict((conflict) =>
        conflict
          .column('setting_key')
          .doUpdateSet({ setting_value, fault: null, fault_at: null, updated_at }),
      )
      .execute();
    await writeAudit(
      trx,
      { actor, action: 'webhook.set', subject: settingKey, details: { webhook: maskWebhook(url) } },
      now,
    );
  });
}

/**
 * Seals every stored webhook with the newest secret: those in clear text, and those that an older secret sealed, so that
 * it can be dropped from SESSION_SECRET after a restart. Returns the settings whose webhook no secret opens.
 */
export function sealStoredWebhooks(db: Kysely<Schema>, keyring: Keyring): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const unreadable: string[] = [];
    for (const key of AUDIENCES.map((audience) => WEBHOOK_SETTING[audience])) {
      const row = await trx
        .selectFrom('monitor_settings')
        .select('setting_value')
        .where('setting_key', '=', key)
        .executeTakeFirst();
      if (row === undefined) continue;
      if (openWebhook(keyring, row.setting_value) === null) unreadable.push(key);
      else
        await trx
          .updateTable('monitor_settings')
          .set({ setting_value: sealAgain(keyring, row.setting_value) })
          .where('setting_key', '=', key)
          .execute();
    }
    const messages = await trx
      .selectFrom('alert_deliveries')
      .select(['id', 'sealed_webhook'])
      // In the words of the partial index.
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

/** Forgets an audience's webhook, in `actor`'s name; the same when there is none. */
export async function deleteWebhook(
  db: Kysely<Schema>,
  { audience, actor, clock }: { audience: Audience; actor: Actor; clock: Clock },
): Promise<void> {
  const settingKey = WEBHOOK_SETTING[audience];
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('monitor_settings')
      .where('setting_key', '=', settingKey)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n)
      await writeAudit(trx, { actor, action: 'webhook.delete', subject: settingKey }, clock.now());
  });
}

/** Remembers that Discord refused a webhook for good, or (null) that it is trusted again. */
export async function markWebhook(
  db: Kysely<Schema>,
  { settingKey, fault, clock }: { settingKey: string; fault: string | null; clock: Clock },
): Promise<void> {
  const fault_at = fault === null ? null : toIso(clock.now());
  await inTransaction(db, (trx) =>
    trx
      .updateTable('monitor_settings')
      .set({ fault, fault_at })
      .where('setting_key', '=', settingKey)
      .execute(),
  );
}

/** Posts a test message. Throws `NotFound` when no webhook is set and `BadGateway` when Discord refuses. */
export async function sendTestAlert(
  context: WebhookContext & { appUrl: string },
  audience: Audience,
): Promise<void> {
  const settingKey = WEBHOOK_SETTING[audience];
  const stored = await findWebhook(context, settingKey);
  if (stored === null || stored.url === null) {
    throw new DomainError('NotFound', {
      code: 'no_webhook',
      message: `No webhook is set for the ${audience} audience${stored === null ? '' : ` (${UNREADABLE_WEBHOOK})`}.`,
    });
  }
  const address: WebhookAddress | null = parseWebhookAddress(stored.url, context.allowedHosts);
  if (address === null) {
    throw new DomainError('BadGateway', {
      code: 'test_alert_failed',
      message: 'Failed to send test alert: the stored webhook is not on an allowed Discord host.',
    });
  }
  const message = renderTestMessage({ audience, appUrl: context.appUrl, now: toIso(context.clock.now()) });
  const answer = await context.discord.post(address, message);
  if (answer.is !== 'ok') {
    throw new DomainError('BadGateway', {
      code: 'test_alert_failed',
      message: 'Failed to send test alert',
      cause: new Error(answer.reason),
    });
  }
  await markWebhook(context.db, { settingKey, fault: null, clock: context.clock });
}
