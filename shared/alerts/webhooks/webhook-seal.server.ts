import { sql } from 'kysely';
import { DAY, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import type { Keyring } from '../../secrets.server';

/** The prefix of a sealed webhook. Older releases stored clear text without it. */
const MARK = 'sealed:';
/** A closed alert may be continued within minutes; after a day nothing edits its messages. */
const WEBHOOK_RETENTION_MS = DAY;

/** Shown when no secret can open a stored webhook. */
export const UNREADABLE_WEBHOOK =
  'the stored webhook cannot be read: SESSION_SECRET is not the one that sealed it. Set the webhook again';

/** Seals a webhook URL for storing. */
export function sealWebhook(keyring: Keyring, url: string): string {
  return `${MARK}${keyring.seal('webhook', url)}`;
}

/** Opens a stored webhook; null when no secret fits. */
export function openWebhook(keyring: Keyring, stored: string): string | null {
  return stored.startsWith(MARK) ? keyring.open('webhook', stored.slice(MARK.length)) : stored;
}

/** Seals a stored webhook again with the newest secret; returns it unchanged when no secret fits. */
export function sealAgain(keyring: Keyring, stored: string): string {
  const url = openWebhook(keyring, stored);
  return url === null ? stored : sealWebhook(keyring, url);
}

/** Clears the stored webhooks of messages that are not edited any more: their alert closed over a day ago. */
export async function clearOldWebhooks(db: Database, now: number): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('alert_deliveries')
      .set({ sealed_webhook: null })
      .where(sql<boolean>`sealed_webhook is not null`)
      .where('updated_at', '<', toIso(now - WEBHOOK_RETENTION_MS))
      .where('alert_id', 'in', (from) =>
        from.selectFrom('alerts').select('id').where('status', '=', 'closed'),
      )
      .execute(),
  );
}
