import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { AdminNoticesTable } from '../database/tables/admin-notices';
import { newId } from '../ids';
import { NOTICE_LASTS_MS } from './alert-timing';
import { addDeliveries, type Delivery, type NewDelivery } from './deliveries';

/** How admins are notified besides their webhook. */
export interface AdminContacts {
  /** ADMIN_EMAILS, or empty when mail is switched off. */
  emails: readonly string[];
}

export interface NewNotice {
  /** The watch that it is about; null: it is about the daemon. */
  watchId: string | null;
  kind: AdminNoticesTable['kind'];
  /** The same event always has the same key; a second notice under it is dropped. */
  dedupeKey: string;
  title: string;
  body: string;
}

/** Notifies the admins once: by their webhook when one is set, else by mail. Returns the deliveries to send, none for a repeat. */
export async function addNotice(
  trx: Transaction<Schema>,
  notice: NewNotice,
  adminContacts: AdminContacts,
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
  // The watch's own webhook, or that of another watch: an admin who set one wants every notice there.
  const hook = await trx
    .selectFrom('webhooks')
    .select('watch_id')
    .where('audience', '=', 'admin')
    .orderBy((order) => order.case().when('watch_id', '=', notice.watchId).then(0).else(1).end())
    .orderBy('watch_id')
    .limit(1)
    .executeTakeFirst();
  if (hook === undefined) return addNoticeMails(trx, row.id, adminContacts, now);
  return addDeliveries(trx, [toDelivery(row.id, 'discord', hook.watch_id, now)], now);
}

/** The mails of a notice: there is no admin webhook, or it rejected the notice for good. */
export function addNoticeMails(
  trx: Transaction<Schema>,
  noticeId: string,
  { emails }: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  return addDeliveries(
    trx,
    emails.map((email) => toDelivery(noticeId, 'email', email, now)),
    now,
  );
}

function toDelivery(
  noticeId: string,
  channel: NewDelivery['channel'],
  destination: string,
  now: number,
): NewDelivery {
  return {
    noticeId,
    audience: 'admin',
    channel,
    destination,
    dueAt: now,
    expiresAt: now + NOTICE_LASTS_MS,
    owner: null,
  };
}
