import { sql, type Kysely } from 'kysely';
import { DAY, toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Keyring } from '../secrets.server';

/** Begins a sealed webhook. One without it is clear text from a release that did not seal. */
const MARK = 'sealed:';
/** A closed alert may be continued within minutes; after this long nothing edits its messages. */
const WEBHOOK_KEPT_MS = DAY;

/** What a person reads when none of the secrets opens a stored webhook. */
export const UNREADABLE_WEBHOOK =
  'the stored webhook cannot be read: SESSION_SECRET is not the one that sealed it. Set the webhook again';

/** A webhook's URL as the database holds it. */
export function sealWebhook(keyring: Keyring, url: string): string {
  return `${MARK}${keyring.seal('webhook', url)}`;
}

/** The URL of a stored webhook; null when none of the secrets opens it. */
export function openWebhook(keyring: Keyring, stored: string): string | null {
  return stored.startsWith(MARK) ? keyring.open('webhook', stored.slice(MARK.length)) : stored;
}

/** The same webhook, sealed with the newest secret; as it stands when no secret opens it. */
export function sealAgain(keyring: Keyring, stored: string): string {
  const url = openWebhook(keyring, stored);
  return url === null ? stored : sealWebhook(keyring, url);
}

/** Clears the webhooks of messages that nothing edits any more: their alert is closed and a day has passed. */
export async function clearOldWebhooks(db: Kysely<Schema>, now: number): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('alert_deliveries')
      .set({ sealed_webhook: null })
      .where(sql<boolean>`sealed_webhook is not null`)
      .where('updated_at', '<', toIso(now - WEBHOOK_KEPT_MS))
      .where('alert_id', 'in', (from) =>
        from.selectFrom('alerts').select('id').where('status', '=', 'closed'),
      )
      .execute(),
  );
}
