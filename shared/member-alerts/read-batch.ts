import type { Kysely } from 'kysely';
import { isPaused, quietWindowsOf, readPreferences, wantsAlert } from '../accounts/preferences';
import { variantsOf } from '../alerts/alerted-offer';
import type { Money } from '../money';
import { fromIso } from '../clock';
import type { Schema } from '../database/schema';
import type { PushTarget } from '../channels/push/push-client.server';
import { alertedOffer, wantsAnnouncement, wantsOffer } from '../follows/match-follow';
import { quietUntil } from '../quiet-hours';
import { findProMembers } from '../subscriptions/list-pro-members';
import { isTest, type MemberDelivery } from './member-outbox';

/** The subject of a message to a member. */
export interface MemberMessage {
  kind: 'alert' | 'test';
  watch: { shop: string; title: string; slug: string };
  /** The available offer; null: the message is about a waiting room. */
  offer: MessageOffer | null;
  /** When the current quiet hours end (epoch ms); null outside quiet hours. */
  quietUntil: number | null;
  /** ISO; of a test: when it was requested. */
  openedAt: string;
  /** The page of the shop. */
  targetUrl: string | null;
  /** Epoch ms; after this time the message is not sent. */
  expiresAt: number;
}

/** A product as a message to its followers shows it. */
export interface MessageOffer {
  kind: 'restock' | 'preorder' | 'price_drop' | 'release' | 'end' | 'unwatched' | 'retired';
  product: { title: string; slug: string };
  /** Null: the message is about no single retailer. */
  retailer: string | null;
  price: Money | null;
  /** The earlier price, if the message is about a price change. */
  previousPrice: Money | null;
  /** The names of the available variants; empty without a choice. */
  variants: string[];
  /** Whether little is left. */
  isLimited: boolean;
}

/** Where a claimed row is sent, or why it is not. `closed`: because the waiting room had closed. */
export type Addressed =
  | { kind: 'email'; to: string; userId: string; message: MemberMessage }
  | { kind: 'push'; to: PushTarget; message: MemberMessage }
  | { kind: 'cancelled'; reason: string; closed?: true }
  /** The mail waits until this time (epoch ms). */
  | { kind: 'retry'; reason: string; quietUntil: number }
  | { kind: 'expired' };

const isBuyable = (availability: string | null): boolean =>
  availability === 'in_stock' || availability === 'limited';

type Read = Awaited<ReturnType<typeof readTables>>;
type Alert = Read['alerts'] extends Map<string, infer Row> ? Row : never;

type Announcement = Awaited<ReturnType<typeof readAnnouncements>>[number];

const byId = <T extends { id: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

async function readTables(db: Kysely<Schema>, rows: readonly MemberDelivery[], now: number) {
  const alertIds = distinct(rows.map((row) => row.alert_id));
  const userIds = distinct(rows.map((row) => row.user_id));
  const pushIds = distinct(rows.map((row) => (row.channel === 'push' ? row.target : null)));
  const alerts = await db
    .selectFrom('alerts')
    .innerJoin('watches', 'watches.id', 'alerts.watch_id')
    .leftJoin('products', 'products.id', 'watches.product_id')
    .leftJoin('retailers', 'retailers.id', 'watches.retailer_id')
    .select([
      'alerts.id',
      'alerts.status',
      'alerts.opened_at',
      'alerts.target_url',
      'alerts.kind',
      'alerts.price_amount',
      'alerts.price_currency',
      'alerts.variants',
      'watches.product_id',
      'watches.retailer_id',
      'watches.variant_key',
      'watches.last_availability',
      'products.title as product_title',
      'products.slug as product_slug',
      'retailers.name as retailer_name',
      'watches.shop',
      'watches.title',
      'watches.slug',
    ])
    .where('alerts.id', 'in', alertIds)
    .execute();
  const users = await db
    .selectFrom('users')
    .select(['id', 'email', 'mail_bounced_at', 'preferences', 'disabled_at'])
    .where('id', 'in', userIds)
    .execute();
  const browsers = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('id', 'in', pushIds)
    .execute();
  const announcements = await readAnnouncements(db, distinct(rows.map((row) => row.announcement_id)));
  const productIds = distinct([...alerts, ...announcements].map(({ product_id }) => product_id));
  const follows =
    productIds.length === 0
      ? []
      : await db
          .selectFrom('product_follows')
          .selectAll()
          .where('user_id', 'in', userIds)
          .where('product_id', 'in', productIds)
          .execute();
  const proMembers = await findProMembers(db, { accountIds: userIds, now });
  // The example in a test message.
  const example = rows.some(isTest) ? await findExample(db) : undefined;
  return {
    alerts: byId(alerts),
    announcements: byId(announcements),
    users: byId(users),
    browsers: byId(browsers),
    follows: new Map(follows.map((follow) => [`${follow.user_id} ${follow.product_id}`, follow])),
    proMembers,
    example,
  };
}

async function readAnnouncements(db: Kysely<Schema>, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('product_announcements as announcement')
    .innerJoin('products', 'products.id', 'announcement.product_id')
    .leftJoin('watches', 'watches.id', 'announcement.watch_id')
    .leftJoin('retailers', 'retailers.id', 'watches.retailer_id')
    .selectAll('announcement')
    .select([
      'products.title as product_title',
      'products.slug as product_slug',
      'products.retired_at',
      'products.end_announced_at',
      'retailers.name as retailer_name',
      'watches.url',
      'watches.slug',
      'watches.retailer_id',
      'watches.variant_key',
      'watches.deleted_at',
      'watches.last_availability',
      'watches.last_price_amount',
      'watches.last_price_currency',
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('watches as offered')
          .select('offered.id')
          .whereRef('offered.product_id', '=', 'announcement.product_id')
          .where('offered.deleted_at', 'is', null),
      ).as('is_watched'),
    )
    .where('announcement.id', 'in', ids)
    .execute();
}

function findExample(db: Kysely<Schema>) {
  return db
    .selectFrom('watches')
    .select(['shop', 'title', 'slug'])
    .where('deleted_at', 'is', null)
    .orderBy('slug')
    .limit(1)
    .executeTakeFirst();
}

function offerOf(alert: Alert): MessageOffer | null {
  const { kind, product_title: title, product_slug: slug, retailer_name: retailer } = alert;
  if (kind === 'waiting_room' || title === null || slug === null || retailer === null) return null;
  return {
    kind,
    product: { title, slug },
    retailer,
    price: alertedOffer(alert).price,
    previousPrice: null,
    variants: variantsOf(alert).map(({ name }) => name),
    isLimited: alert.last_availability === 'limited',
  };
}

const followOf = ({ user_id }: MemberDelivery, productId: string | null, { follows }: Read) =>
  follows.get(`${user_id} ${productId}`);

/** Until when the member's quiet hours, or those of their follow of the product, last. */
function quietUntilOf(row: MemberDelivery, productId: string | null, read: Read, now: number): number | null {
  const user = read.users.get(row.user_id);
  if (user === undefined) return null;
  const follow = followOf(row, productId, read) ?? null;
  return quietUntil(quietWindowsOf(readPreferences(user.preferences), follow), now);
}

/** Whether the follower of an alert's product still wants it. */
function isWanted(row: MemberDelivery, alert: Alert, read: Read): boolean {
  if (alert.kind === 'waiting_room') return true;
  const follow = followOf(row, alert.product_id, read);
  return follow !== undefined && wantsOffer(follow, { want: alert.kind, offer: alertedOffer(alert) });
}

/** Why a product ended: no shop sells it, no shop is checked, or we retired it. */
function endOf({ retired_at, is_watched }: Announcement): MessageOffer['kind'] {
  if (retired_at !== null) return 'retired';
  return is_watched ? 'end' : 'unwatched';
}

/** The message about an announcement, or why it is not sent: it must still be true and wanted. */
function announcementMessage(
  row: MemberDelivery,
  read: Read,
  now: number,
): MemberMessage | { reason: string } {
  const announcement = read.announcements.get(row.announcement_id ?? '');
  if (announcement === undefined) return { reason: 'the product is no longer watched' };
  const { kind, product_title: title, product_slug: slug, retailer_name: retailer, url } = announcement;
  const follow = followOf(row, announcement.product_id, read);
  const price_amount = announcement.last_price_currency === 'GBP' ? announcement.last_price_amount : null;
  if (
    follow === undefined ||
    !wantsAnnouncement(follow, { ...announcement, price_amount, beside_restock: 0 })
  )
    return { reason: 'the member no longer wants this alert, or the price rose again' };
  const isOffered = isBuyable(announcement.last_availability) && announcement.deleted_at === null;
  if (kind === 'price_drop' && !isOffered)
    return { reason: 'it was no longer available when the alert was due' };
  if (kind === 'end' && announcement.end_announced_at === null)
    return { reason: 'it is sold or watched again' };
  const pounds = (amount: number | null) => (amount === null ? null : { amount, currency: 'GBP' });
  return {
    kind: 'alert',
    watch: { shop: retailer ?? '', title, slug: announcement.slug ?? slug },
    offer: {
      kind: kind === 'end' ? endOf(announcement) : kind,
      product: { title, slug },
      retailer,
      price: pounds(price_amount),
      previousPrice: pounds(announcement.previous_amount),
      variants: [],
      isLimited: announcement.last_availability === 'limited',
    },
    quietUntil: quietUntilOf(row, announcement.product_id, read, now),
    openedAt: announcement.announced_at,
    targetUrl: url,
    expiresAt: fromIso(row.expires_at),
  };
}

function messageOf(
  row: MemberDelivery,
  read: Read,
  now: number,
): MemberMessage | { reason: string; closed?: true } {
  const { alerts, example } = read;
  const expiresAt = fromIso(row.expires_at);
  if (row.announcement_id !== null) return announcementMessage(row, read, now);
  if (row.alert_id === null) {
    if (example === undefined) return { reason: 'there is no watch to test with' };
    return {
      kind: 'test',
      watch: example,
      offer: null,
      quietUntil: null,
      openedAt: row.created_at,
      targetUrl: null,
      expiresAt,
    };
  }
  const alert = alerts.get(row.alert_id);
  if (alert === undefined || alert.status === 'closed')
    return {
      reason:
        alert === undefined || alert.kind === 'waiting_room'
          ? 'the waiting room closed before the alert was sent'
          : 'it was no longer available when the alert was due',
      closed: true,
    };
  if (!isWanted(row, alert, read)) return { reason: 'the member no longer wants this alert' };
  const { shop, title, slug, opened_at: openedAt, target_url: targetUrl } = alert;
  return {
    kind: 'alert',
    watch: { shop, title, slug },
    offer: offerOf(alert),
    quietUntil: quietUntilOf(row, alert.product_id, read, now),
    openedAt,
    targetUrl,
    expiresAt,
  };
}

function address(row: MemberDelivery, read: Read, now: number): Addressed {
  const message = messageOf(row, read, now);
  if ('reason' in message) return { kind: 'cancelled', ...message };
  if (message.expiresAt <= now) return { kind: 'expired' };
  const user = read.users.get(row.user_id);
  if (user === undefined) return { kind: 'cancelled', reason: 'the account no longer exists' };
  if (user.disabled_at !== null) return { kind: 'cancelled', reason: 'the account is disabled' };
  if (message.kind === 'alert' && !read.proMembers.has(user.id))
    return { kind: 'cancelled', reason: 'the member no longer has Pro' };
  const preferences = readPreferences(user.preferences);
  if (message.kind === 'alert' && isPaused(preferences, now))
    return { kind: 'cancelled', reason: 'the member has paused their alerts' };
  // The member asked for a test, whatever the stored preferences say.
  const wanted =
    message.kind === 'test' ||
    wantsAlert(preferences, {
      channel: row.channel,
      watchSlug: message.offer === null ? message.watch.slug : null,
    });
  if (!wanted) return { kind: 'cancelled', reason: 'the member switched these alerts off' };
  if (row.channel === 'push') {
    const browser = read.browsers.get(row.target);
    if (browser === undefined) return { kind: 'cancelled', reason: 'the browser no longer receives alerts' };
    return { kind: 'push', to: browser, message };
  }
  if (message.kind === 'alert' && user.mail_bounced_at !== null)
    return { kind: 'cancelled', reason: 'the mail server refuses the address' };
  if (message.quietUntil !== null)
    return {
      kind: 'retry',
      reason: 'it waits for the end of the quiet hours',
      quietUntil: message.quietUntil,
    };
  return { kind: 'email', to: user.email, userId: user.id, message };
}

/** Reads the current destination of each claimed row: alerts, preferences and plans may have changed since it was written. */
export async function addressBatch(
  db: Kysely<Schema>,
  rows: readonly MemberDelivery[],
  now: number,
): Promise<Map<string, Addressed>> {
  const read = await readTables(db, rows, now);
  return new Map(rows.map((row) => [row.id, address(row, read, now)]));
}
