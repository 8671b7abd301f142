import { fromIso, MINUTE } from '../../clock';
import type { Transaction } from '../../database/schema';
import { addNotice, addNoticeMails, type AdminContacts } from '../admin-notices';
import {
  ALERT_LIFETIME_MS,
  FREE_DELAY_MS,
  LATE_AFTER_MS,
  NOTICE_MAIL_AFTER_ATTEMPTS,
  NOTICE_MAIL_AFTER_MS,
} from '../alert-timing';
import type { Delivery } from './deliveries';

/** Notifies the admins that an audience was not reached, once per alert and audience. */
export async function notifyOfFailure(
  trx: Transaction,
  row: Delivery,
  reason: string,
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  if (row.notice_id !== null)
    return row.channel === 'discord' ? addNoticeMails(trx, row.notice_id, adminContacts, now) : [];
  return addNotice(
    trx,
    {
      watchId: row.channel === 'discord' ? row.destination : null,
      kind: 'delivery_failed',
      dedupeKey: `delivery-failed:${row.id}:${row.sent_at === null ? 'post' : 'edit'}`,
      title:
        row.sent_at === null
          ? `An alert did not reach the ${row.audience} audience`
          : `A message to the ${row.audience} audience could not be updated`,
      body: `Reason: ${reason}. Attempts: ${row.attempts}. The monitor screen shows the deliveries and can send a failed one again; "npm run monitor -- webhook test" tries the webhook.`,
    },
    adminContacts,
    now,
  );
}

/** The deliveries that a failed attempt adds whose `row` waits again: the admins learn what is late, or perhaps sent twice. */
export async function notifyOfRetry(
  trx: Transaction,
  row: Delivery,
  outcome: { reason: string; uncertain?: boolean },
  { adminContacts, now }: { adminContacts: AdminContacts; now: number },
): Promise<Delivery[]> {
  const nextAttemptAt = fromIso(row.due_at);
  if (row.notice_id !== null && row.channel === 'discord') {
    const isLate =
      row.attempts >= NOTICE_MAIL_AFTER_ATTEMPTS ||
      nextAttemptAt >= fromIso(row.created_at) + NOTICE_MAIL_AFTER_MS;
    return isLate ? addNoticeMails(trx, row.notice_id, adminContacts, now) : [];
  }
  if (row.alert_id === null || row.sent_at !== null) return [];
  const others: Delivery[] = [];
  const notice = { watchId: row.destination, kind: 'delivery_failed' as const };
  if (outcome.uncertain === true)
    others.push(
      ...(await addNotice(
        trx,
        {
          ...notice,
          dedupeKey: `delivery-uncertain:${row.id}`,
          title: `An alert to the ${row.audience} audience may appear twice`,
          body: `Discord may have accepted the message, but did not confirm it (${outcome.reason}). It is sent again without the ping, with a note that it may be a repeat.`,
        },
        adminContacts,
        now,
      )),
    );
  const dueFirst = fromIso(row.created_at) + (row.audience === 'free' ? FREE_DELAY_MS : 0);
  if (nextAttemptAt >= dueFirst + LATE_AFTER_MS)
    others.push(
      ...(await addNotice(
        trx,
        {
          ...notice,
          dedupeKey: `delivery-late:${row.id}`,
          title: `An alert is late for the ${row.audience} audience`,
          body: `Reason: ${outcome.reason}. Attempts: ${row.attempts}. It is tried again until ${ALERT_LIFETIME_MS / MINUTE} minutes after the alert opened.`,
        },
        adminContacts,
        now,
      )),
    );
  return others;
}
