import { sql, type Kysely, type Transaction } from 'kysely';
import { isPaused, quietWindowsOf, readPreferences, wantsAlert } from '../accounts/preferences';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import { fromIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import {
  alertedOffer,
  announcementLifetime,
  wantsAnnouncement,
  wantsOffer,
  type StoredFollow,
} from '../follows/match-follow';
import { quietUntil } from '../quiet-hours';
import { findProMembers, listProMembers } from '../subscriptions/list-pro-members';
import { memberOutbox } from './member-outbox';
import { type MemberChannel } from '../member-channels';

/** Members whose rows one transaction writes: it blocks the event loop for some milliseconds. */
const MEMBERS_PER_STEP = 40;
/** A statement holds at most this many rows, so that there are few different statements. */
const ROWS_PER_INSERT = 50;

export interface FanOutStep {
  /** Rows that became due. */
  added: number;
  /** Whether every member of the alert is listed. */
  done: boolean;
}

/** The subject of the messages to members. */
export type FanOutSource = { alertId: string } | { announcementId: string };

/** The alerts and announcements whose members are not all listed yet: alerts come first, the oldest of each first. */
export async function listPendingFanOuts(db: Kysely<Schema>): Promise<FanOutSource[]> {
  const alerts = await db
    .selectFrom('alerts')
    .select('id')
    // A literal, as in the condition of the partial index.
    .where('fan_out_status', '=', sql.lit('pending'))
    .orderBy('opened_at')
    .execute();
  const announcements = await db
    .selectFrom('product_announcements')
    .select('id')
    .where('fan_out_status', '=', sql.lit('pending'))
    .orderBy('announced_at')
    .execute();
  return [
    ...alerts.map(({ id }) => ({ alertId: id })),
    ...announcements.map(({ id }) => ({ announcementId: id })),
  ];
}

interface Receiver {
  userId: string;
  channel: MemberChannel;
  target: string;
  /** Until when the member's mails wait (epoch ms); null: they do not. */
  quietUntil: number | null;
}

/** Members who may want an alert. */
interface MembersPage {
  /** By their accounts, with the follow that asks for it; null: it is about no product. */
  follows: ReadonlyMap<string, StoredFollow | null>;
  /** The last account that this page covers. Null: there are no more. */
  last: string | null;
}

/** The page of the members that follow a product, those of them whose follow asks for what they are told. */
async function listFollowers(
  trx: Transaction<Schema>,
  {
    productId,
    isWanted,
    after,
    now,
  }: { productId: string; isWanted(follow: StoredFollow): boolean; after: string | null; now: number },
): Promise<MembersPage> {
  const follows = await trx
    .selectFrom('product_follows')
    .selectAll()
    .where('product_id', '=', productId)
    .where('user_id', '>', after ?? '')
    .orderBy('user_id')
    .limit(MEMBERS_PER_STEP)
    .execute();
  const wanting = follows.filter(isWanted);
  const pro =
    wanting.length === 0
      ? new Set()
      : await findProMembers(trx, { accountIds: wanting.map(({ user_id }) => user_id), now });
  return {
    follows: new Map(
      wanting.filter(({ user_id }) => pro.has(user_id)).map((follow) => [follow.user_id, follow]),
    ),
    last: follows.length < MEMBERS_PER_STEP ? null : (follows.at(-1)?.user_id ?? null),
  };
}

/** The page of all members with Pro. */
async function listAllMembers(
  trx: Transaction<Schema>,
  { after, now }: { after: string | null; now: number },
): Promise<MembersPage> {
  const { ids, last } = await listProMembers(trx, { after, limit: MEMBERS_PER_STEP, now });
  return { follows: new Map(ids.map((id) => [id, null])), last };
}

/** The addresses and browsers of those members whose preferences allow an alert. `watchSlug` null: about a product. */
async function listReceivers(
  trx: Transaction<Schema>,
  {
    follows,
    watchSlug,
    mailEnabled,
    now,
  }: Pick<MembersPage, 'follows'> & { watchSlug: string | null; mailEnabled: boolean; now: number },
): Promise<Receiver[]> {
  const ids = [...follows.keys()];
  if (ids.length === 0) return [];
  const members = await trx
    .selectFrom('users')
    .select(['id', 'email_verified_at', 'mail_bounced_at', 'preferences'])
    .where('id', 'in', ids)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute();
  const wanting = members.flatMap(({ preferences, ...member }) => {
    const read = readPreferences(preferences);
    if (isPaused(read, now)) return [];
    return {
      ...member,
      quietUntil: quietUntil(quietWindowsOf(read, follows.get(member.id)), now),
      email: mailEnabled && wantsAlert(read, { channel: 'email', watchSlug }),
      push: wantsAlert(read, { channel: 'push', watchSlug }),
    };
  });
  const byMail = wanting.filter(
    (member) => member.email && member.email_verified_at !== null && member.mail_bounced_at === null,
  );
  const byPush = wanting.filter(({ push }) => push).map(({ id }) => id);
  const browsers =
    byPush.length === 0
      ? []
      : await trx
          .selectFrom('push_subscriptions')
          .select(['id', 'user_id'])
          .where('user_id', 'in', byPush)
          .execute();
  return [
    ...browsers.map(({ id, user_id }) => ({
      userId: user_id,
      channel: 'push' as const,
      target: id,
      quietUntil: null,
    })),
    ...byMail.map(({ id, quietUntil: quietEnd }) => ({
      userId: id,
      channel: 'email' as const,
      target: id,
      quietUntil: quietEnd,
    })),
  ];
}

/** The columns of a delivery that say what it is about, and those by which a receiver has one. */
const sourceColumns = (source: FanOutSource) =>
  'alertId' in source
    ? { alert_id: source.alertId, announcement_id: null }
    : { alert_id: null, announcement_id: source.announcementId };

/**
 * Adds a row per receiver. A row that was cancelled because the alert had closed waits again: the alert has reopened. A mail
 * in quiet hours is due at their end, and is cancelled then if the alert has closed.
 */
async function addRows(
  trx: Transaction<Schema>,
  {
    source,
    receivers,
    expiresAt,
    now,
  }: { source: FanOutSource; receivers: readonly Receiver[]; expiresAt: number; now: number },
): Promise<number> {
  let added = 0;
  for (let from = 0; from < receivers.length; from += ROWS_PER_INSERT) {
    const rows = receivers
      .slice(from, from + ROWS_PER_INSERT)
      .map(({ userId, channel, target, quietUntil: quietEnd }) => ({
        ...memberOutbox.newRow({
          dueAt: quietEnd ?? now,
          expiresAt: quietEnd === null ? expiresAt : quietEnd + ALERT_LIFETIME_MS,
          owner: null,
          now,
        }),
        ...sourceColumns(source),
        user_id: userId,
        channel,
        target,
      }));
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('member_deliveries')
      .values(rows)
      .onConflict((conflict) =>
        ('alertId' in source
          ? conflict.columns(['alert_id', 'channel', 'user_id', 'target'])
          : conflict
              .columns(['announcement_id', 'channel', 'user_id', 'target'])
              .where('announcement_id', 'is not', null)
        )
          .doUpdateSet((set) => ({
            status: 'pending',
            due_at: set.ref('excluded.due_at'),
            expires_at: set.ref('excluded.expires_at'),
            updated_at: set.ref('excluded.updated_at'),
          }))
          .where('member_deliveries.status', '=', 'cancelled'),
      )
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows);
  }
  return added;
}

/**
 * Writes the rows of the next members of an alert or announcement in one short transaction. The rows are due at once and
 * expire with the alert. A closed alert gets no more rows; when it reopens, its members are listed again. Safe to run in
 * several processes at once.
 */
export async function fanOutStep(
  db: Kysely<Schema>,
  { source, mailEnabled, clock }: { source: FanOutSource; mailEnabled: boolean; clock: Clock },
): Promise<FanOutStep> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    return 'alertId' in source
      ? alertStep(trx, { alertId: source.alertId, mailEnabled, now })
      : announcementStep(trx, { announcementId: source.announcementId, mailEnabled, now });
  });
}

async function announcementStep(
  trx: Transaction<Schema>,
  { announcementId, mailEnabled, now }: { announcementId: string; mailEnabled: boolean; now: number },
): Promise<FanOutStep> {
  const announcement = await trx
    .selectFrom('product_announcements as announcement')
    .leftJoin('watches', 'watches.id', 'announcement.watch_id')
    .selectAll('announcement')
    .select(['watches.retailer_id', 'watches.variant_key'])
    .where('announcement.id', '=', announcementId)
    .where('fan_out_status', '=', 'pending')
    .executeTakeFirst();
  if (announcement === undefined) return { added: 0, done: true };
  const { follows, last } = await listFollowers(trx, {
    productId: announcement.product_id,
    isWanted: (follow) => wantsAnnouncement(follow, announcement),
    after: announcement.fan_out_after,
    now,
  });
  const receivers = await listReceivers(trx, { follows, watchSlug: null, mailEnabled, now });
  const expiresAt = fromIso(announcement.announced_at) + announcementLifetime(announcement.kind);
  const added = await addRows(trx, { source: { announcementId }, receivers, expiresAt, now });
  const done = last === null;
  await trx
    .updateTable('product_announcements')
    .set(done ? { fan_out_status: 'done' } : { fan_out_after: last })
    .where('id', '=', announcementId)
    .execute();
  return { added, done };
}

async function alertStep(
  trx: Transaction<Schema>,
  { alertId, mailEnabled, now }: { alertId: string; mailEnabled: boolean; now: number },
): Promise<FanOutStep> {
  const alert = await trx
    .selectFrom('alerts')
    .innerJoin('watches', 'watches.id', 'alerts.watch_id')
    .select([
      'alerts.status',
      'alerts.opened_at',
      'alerts.fan_out_at',
      'alerts.fan_out_after',
      'alerts.kind',
      'alerts.price_amount',
      'alerts.price_currency',
      'alerts.variants',
      'watches.slug',
      'watches.product_id',
      'watches.retailer_id',
      'watches.variant_key',
    ])
    .where('alerts.id', '=', alertId)
    .where('alerts.fan_out_status', '=', 'pending')
    .executeTakeFirst();
  if (alert === undefined) return { added: 0, done: true };
  const { kind, product_id: productId, fan_out_after: after } = alert;
  const page: MembersPage =
    alert.status === 'closed'
      ? { follows: new Map(), last: null }
      : kind === 'waiting_room' || productId === null
        ? await listAllMembers(trx, { after, now })
        : await listFollowers(trx, {
            productId,
            isWanted: (follow) => wantsOffer(follow, { want: kind, offer: alertedOffer(alert) }),
            after,
            now,
          });
  const receivers = await listReceivers(trx, {
    follows: page.follows,
    watchSlug: kind === 'waiting_room' ? alert.slug : null,
    mailEnabled,
    now,
  });
  const expiresAt = fromIso(alert.fan_out_at ?? alert.opened_at) + ALERT_LIFETIME_MS;
  const added = await addRows(trx, { source: { alertId }, receivers, expiresAt, now });
  const done = page.last === null;
  await trx
    .updateTable('alerts')
    .set(done ? { fan_out_status: 'done' } : { fan_out_after: page.last })
    .where('id', '=', alertId)
    .execute();
  return { added, done };
}
