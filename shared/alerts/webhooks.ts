import type { Kysely } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import type { DiscordWebhooks } from './discord-webhook.server';
import { renderTestMessage } from './render-discord-message';
import {
  maskWebhook,
  parseWebhookAddress,
  requireWebhookAddress,
  type WebhookAddress,
} from './webhook-address';

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
  url: string;
  /** Why Discord last refused it for good; null while it is trusted. */
  fault: string | null;
}

/** The stored webhook under a setting key, or null. Secret: never shown, never logged. */
export async function findWebhook(db: Kysely<Schema>, settingKey: string): Promise<StoredWebhook | null> {
  const row = await db
    .selectFrom('monitor_settings')
    .select(['setting_value', 'fault'])
    .where('setting_key', '=', settingKey)
    .executeTakeFirst();
  return row === undefined ? null : { settingKey, url: row.setting_value, fault: row.fault };
}

export interface ShownWebhook {
  audience: Audience;
  /** Masked; null when none is set. */
  webhook: string | null;
  fault: string | null;
}

/** The three webhooks as people may see them. */
export async function listWebhooks(db: Kysely<Schema>): Promise<ShownWebhook[]> {
  return Promise.all(
    AUDIENCES.map(async (audience) => {
      const stored = await findWebhook(db, WEBHOOK_SETTING[audience]);
      return {
        audience,
        webhook: stored === null ? null : maskWebhook(stored.url),
        fault: stored?.fault ?? null,
      };
    }),
  );
}

export interface WebhookContext {
  db: Kysely<Schema>;
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
  const answer = await context.discord.look(address);
  if (answer.is === 'refused') {
    const sentence = 'Discord does not know this webhook. Was it deleted? Copy the URL again in Discord.';
    throw new DomainError('Invalid', {
      code: 'unknown_webhook',
      message: sentence,
      fieldErrors: { webhook_url: [sentence] },
    });
  }
  if (answer.is !== 'done') {
    throw new DomainError('BadGateway', {
      code: 'discord_unavailable',
      message: `Discord could not confirm the webhook (${answer.reason}). Please try again.`,
    });
  }
  await storeWebhook(context.db, {
    settingKey: WEBHOOK_SETTING[audience],
    url: address.url,
    actor,
    clock: context.clock,
  });
}

async function storeWebhook(
  db: Kysely<Schema>,
  { settingKey, url, actor, clock }: { settingKey: string; url: string; actor: Actor; clock: Clock },
): Promise<void> {
  const now = clock.now();
  const updated_at = toIso(now);
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('monitor_settings')
      .values({ setting_key: settingKey, setting_value: url, fault: null, fault_at: null, updated_at })
      .onConflict((conflict) =>
        conflict
          .column('setting_key')
          .doUpdateSet({ setting_value: url, fault: null, fault_at: null, updated_at }),
      )
      .execute();
    await writeAudit(
      trx,
      { actor, action: 'webhook.set', subject: settingKey, details: { webhook: maskWebhook(url) } },
      now,
    );
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
  const stored = await findWebhook(context.db, settingKey);
  if (stored === null) {
    throw new DomainError('NotFound', {
      code: 'no_webhook',
      message: `No webhook is set for the ${audience} audience.`,
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
  if (answer.is !== 'done') {
    throw new DomainError('BadGateway', {
      code: 'test_alert_failed',
      message: 'Failed to send test alert',
      cause: new Error(answer.reason),
    });
  }
  await markWebhook(context.db, { settingKey, fault: null, clock: context.clock });
}
