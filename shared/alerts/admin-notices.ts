import { toIso, DAY } from '../clock';
import type { Transaction, Database } from '../database/schema';
import type { AdminNoticesTable } from '../database/tables/admin-notices';
import { newId } from '../ids';
import { NOTICE_LIFETIME_MS } from './alert-timing';
import { addDeliveries, type Delivery, type NewDelivery } from './deliveries/deliveries';
import { deleteOlder } from '../database/delete-in-batches';

/** The contacts of the admins besides their webhook. */
export interface AdminContacts {
  /** ADMIN_EMAILS, or empty when mail is switched off. */
  emails: readonly string[];
}

export interface NewNotice {
  /** The watch concerned; null for the daemon. */
  watchId: string | null;
  kind: AdminNoticesTable['kind'];
  /** One key per event; a second notice with the same key is dropped. */
  dedupeKey: string;
  title: string;
  body: string;
}

/** Notifies the admins once: by webhook, else by mail. Returns the deliveries to send; none for a repeated key. */
export async function addNotice(
  trx: Transaction,
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
  // Prefers the watch's own webhook; that of another watch that is not deleted serves too.
  const hook = await trx
    .selectFrom('webhooks')
    .select('watch_id')
    .where('audience', '=', 'admin')
    .where('watch_id', 'in', (from) =>
      from.selectFrom('watches').select('id').where('deleted_at', 'is', null),
    )
    .orderBy((order) => order.case().when('watch_id', '=', notice.watchId).then(0).else(1).end())
    .orderBy('watch_id')
    .limit(1)
    .executeTakeFirst();
  if (hook === undefined) return addNoticeMails(trx, row.id, adminContacts, now);
  return addDeliveries(trx, [toDelivery(row.id, 'discord', hook.watch_id, now)], now);
}

/** Adds the mails of a notice, if no admin webhook is set or it permanently rejected the notice. */
export function addNoticeMails(
  trx: Transaction,
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
    expiresAt: now + NOTICE_LIFETIME_MS,
    owner: null,
  };
}

/** How long a notice to the admins is kept, with its deliveries. */
const NOTICE_RETENTION_MS = 90 * DAY;

/** Deletes old notices to the admins; the database deletes their deliveries. Returns how many. `now`: epoch ms. */
export function purgeNotices(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'admin_notices', now - NOTICE_RETENTION_MS);
}
