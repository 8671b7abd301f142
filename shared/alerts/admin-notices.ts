import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { AdminNoticesTable } from '../database/tables/admin-notices';
import { newId } from '../ids';
import { NOTICE_LASTS_MS } from './alert-timing';
import { addDeliveries, type Delivery, type NewDelivery } from './outbox';
import { WEBHOOK_SETTING } from './webhooks';

/** How admins are reached besides their webhook. */
export interface AdminReach {
  /** ADMIN_EMAILS, or empty when mail is switched off. */
  emails: readonly string[];
}

export interface NewNotice {
  kind: AdminNoticesTable['kind'];
  /** The same event always has the same key; a second notice under it is dropped. */
  dedupeKey: string;
  title: string;
  body: string;
}

function mailRows(noticeId: string, reach: AdminReach, now: number): NewDelivery[] {
  return reach.emails.map((email) => ({
    noticeId,
    audience: 'admin',
    channel: 'email',
    destination: email,
    dueAt: now,
    expiresAt: now + NOTICE_LASTS_MS,
    claimedBy: null,
  }));
}

/** Tells the admins once: by their webhook when one is set, else by mail. Returns the deliveries to send, none for a repeat. */
export async function addNotice(
  trx: Transaction<Schema>,
  notice: NewNotice,
  reach: AdminReach,
  now: number,
): Promise<Delivery[]> {
  const row = await trx
    .insertInto('admin_notices')
    .values({
      id: newId(),
      kind: notice.kind,
      dedupe_key: notice.dedupeKey,
      title: notice.title,
      body: notice.body,
      created_at: toIso(now),
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return [];
  const hook = await trx
    .selectFrom('monitor_settings')
    .select('setting_key')
    .where('setting_key', '=', WEBHOOK_SETTING.admin)
    .executeTakeFirst();
  const rows: NewDelivery[] =
    hook === undefined
      ? mailRows(row.id, reach, now)
      : [
          {
            noticeId: row.id,
            audience: 'admin',
            channel: 'discord',
            destination: hook.setting_key,
            dueAt: now,
            expiresAt: now + NOTICE_LASTS_MS,
            claimedBy: null,
          },
        ];
  return addDeliveries(trx, rows, now);
}

/** The admins' webhook refused a notice for good: it goes by mail instead. */
export function addNoticeMails(
  trx: Transaction<Schema>,
  noticeId: string,
  reach: AdminReach,
  now: number,
): Promise<Delivery[]> {
  return addDeliveries(trx, mailRows(noticeId, reach, now), now);
}
