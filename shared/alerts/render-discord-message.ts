import type { Selectable } from 'kysely';
import { DEFAULT_WATCH_ID, PRODUCT_NAME, SHOP } from '../brand';
import { describeDuration, fromIso, SECOND } from '../clock';
import type { AdminNoticesTable } from '../database/tables/admin-notices';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import { FREE_DELAY_MS } from './alert-timing';
import {
  cut,
  discordMessage,
  escapeMarkdown,
  markdownLink,
  timeMark,
  type DiscordEmbed,
  type DiscordMessage,
} from '../channels/discord/discord-message';
import { formatMoney } from '../money';
import { SHARE_IMAGE_NAME } from '../storage/images/variant-names';
import { uploadPath } from '../storage/upload-path';
import { lastSeenOffer, offerFields, offerWords, type MessageFacts } from './describe-offer';
import { headStartSeconds, type NotifiedTimes } from './head-start';

/** The state's colour, as on the site. */
const COLOURS = {
  waitingRoom: 0xc4314b,
  open: 0x1f9d63,
  preorder: 0x2f6fd0,
  unknown: 0xb7791f,
  test: 0x5b6472,
} as const;

/** Longer names of shops are truncated, so that the sentence around them is always complete. */
const SHOP_NAME_LIMIT = 100;
/** Discord docs, "Message resource", Embed: the longest URL that is accepted. */
const URL_LIMIT = 2_048;

/** The watch of an alert. */
export interface AlertedWatch {
  slug: string;
  title: string;
  shop: string;
  /** The upload of the image of its product, which Discord shows small; null: none. */
  imageUploadId?: string | null;
}

/** At the end of the footer of a message whose earlier attempt may have arrived. */
const REPEAT = ' · Sent again after an interruption: you may have seen this already';

const DEFAULT_WATCH: AlertedWatch = { slug: SHOP.slug, title: SHOP.name, shop: SHOP.name };

type NamedAlert = Pick<Selectable<AlertsTable>, 'kind' | 'price_amount' | 'price_currency'>;

/**
 * The link to the restock page for free members, with the parameters that the page shows. `alert`: of a product, which has a
 * price; without it the watch is that of a waiting room.
 */
export function restockLink(
  appUrl: string,
  watch: AlertedWatch = DEFAULT_WATCH,
  { kind, price_amount: amount, price_currency: currency }: Partial<NamedAlert> = {},
): string {
  const isRoom = kind === undefined || kind === 'waiting_room';
  const hasPrice = typeof amount === 'number' && typeof currency === 'string';
  const link = new URL(`/restock/${watch.slug}`, appUrl);
  link.searchParams.set('name', isRoom ? `${watch.title} waiting room` : watch.title);
  link.searchParams.set('price', hasPrice ? formatMoney({ amount, currency }) : 'See the shop');
  link.searchParams.set('retailer', watch.shop);
  link.searchParams.set('source', 'discord');
  // The page reads the stored watch first, so the parameters may be left out.
  if (link.href.length > URL_LIMIT) link.search = '?source=discord';
  return link.href;
}

/** The public status, with the usual hours of the watch. */
function statusLink(appUrl: string, { slug }: AlertedWatch): string {
  return new URL(slug === DEFAULT_WATCH_ID ? '/status' : `/status?watch=${slug}`, appUrl).href;
}

/** The states of both messages of an alert. */
export interface AlertMessages extends NotifiedTimes {
  /** The state of the free message that is not sent; null: there is none. */
  free: 'pending' | 'cancelled' | null;
}

export interface AlertMessageInput {
  watch?: AlertedWatch;
  alert: Selectable<AlertsTable>;
  /** Of an alert about a product; null for a waiting room. */
  offer?: MessageFacts | null;
  audience: 'instant' | 'free';
  messages: AlertMessages;
  appUrl: string;
  /** The role that the first post pings; edits never ping. */
  roleId: string | null;
  /** An earlier attempt may have arrived. */
  mayRepeat: boolean;
}

type Field = NonNullable<DiscordEmbed['fields']>[number];

/** The sentence to the instant audience when an alert ended before the free audience was notified. */
const ENDED_UNTOLD: Record<NamedAlert['kind'], string> = {
  waiting_room: 'It closed before everyone else was told',
  restock: 'It was gone before everyone else was told',
  preorder: 'The pre-order ended before everyone else was told',
};

/** The head start of the instant audience: measured once both messages are sent. */
function headStartField({ messages, audience, alert }: AlertMessageInput): Field[] {
  const field = (value: string): Field[] => [{ name: 'Head start', value, inline: true }];
  const seconds = headStartSeconds(messages);
  if (seconds !== null)
    return field(
      audience === 'instant'
        ? `${seconds} seconds before everyone else`
        : `Pro members heard ${seconds} seconds earlier`,
    );
  if (messages.instantAt !== null && messages.free === 'cancelled' && alert.status === 'closed')
    return field(ENDED_UNTOLD[alert.kind]);
  if (audience === 'instant' && messages.free === 'pending' && alert.status === 'open')
    return field(`${FREE_DELAY_MS / SECOND} seconds before everyone else`);
  return [];
}

type Shown = Pick<DiscordEmbed, 'title' | 'url' | 'description' | 'color' | 'timestamp'> & {
  fields: Field[];
  footer?: string;
};

function lastSeenSentence({ alert }: AlertMessageInput): string {
  if (alert.kind !== 'waiting_room') return lastSeenOffer(alert);
  return `The waiting room was open when we last looked at ${timeMark(alert.last_seen_at, 'T')}. Opened ${timeMark(alert.opened_at, 'T')}.`;
}

/** An alert whose waiting room is no longer checked, temporarily or permanently. */
function describeUnwatched(input: AlertMessageInput, name: string, url: string): Shown {
  const { alert } = input;
  const shown = { url, color: COLOURS.unknown, fields: [] };
  const [thing, ended] =
    alert.kind === 'waiting_room' ? ['shop', 'when it closed'] : ['product', 'when it was gone'];
  if (alert.close_reason === 'moved')
    return {
      ...shown,
      title: `${name}: monitoring has moved`,
      description: `${lastSeenSentence(input)} Monitoring has moved to another page since, so we cannot say ${ended}.`,
    };
  if (alert.close_reason === 'not_seen')
    return {
      ...shown,
      title: `${name}: no longer seen`,
      description: `${lastSeenSentence(input)} We were not watching for a while after that, so we cannot say ${ended}.`,
    };
  if (alert.close_reason === 'removed')
    return {
      ...shown,
      // Its own page is gone with the watch.
      url: new URL(alert.kind === 'waiting_room' ? '/status' : '/', input.appUrl).href,
      title: `${name}: no longer watched`,
      description: `${lastSeenSentence(input)} We no longer watch this ${thing}, so we cannot say ${ended}.`,
    };
  return {
    ...shown,
    title: `${name}: monitoring is paused`,
    description: `${lastSeenSentence(input)} We are not watching right now, so we cannot say whether it still is.`,
  };
}

/** A product that can be had, or no longer. */
function describeProduct(
  input: AlertMessageInput,
  { name, url, shop }: { name: string; url: string; shop: Field },
): Shown {
  const { alert, offer = null } = input;
  const inStockAt = offer?.inStockAt ?? null;
  const words = offerWords(alert, { name, inStockAt });
  if (alert.status === 'closed')
    return {
      ...words,
      url,
      color: COLOURS.unknown,
      fields: [shop, ...headStartField(input)],
      // Stock has its own message.
      footer: inStockAt === null ? ' keeps checking and tells you when it is back' : '',
      timestamp: alert.closed_at ?? alert.last_seen_at,
    };
  return {
    ...words,
    url,
    color: alert.kind === 'preorder' ? COLOURS.preorder : COLOURS.open,
    fields: [shop, ...(offer === null ? [] : offerFields(alert, offer)), ...headStartField(input)],
    timestamp: alert.opened_at,
  };
}

function describeAlert(input: AlertMessageInput, watch: AlertedWatch): Shown {
  const { alert, audience, appUrl } = input;
  const name = escapeMarkdown(cut(watch.title, SHOP_NAME_LIMIT));
  const leadsToShop = audience === 'instant' && alert.target_url.length <= URL_LIMIT;
  const url = leadsToShop ? alert.target_url : restockLink(appUrl, watch, alert);
  if (alert.close_reason !== null || alert.status === 'suspended') return describeUnwatched(input, name, url);
  const isRoom = alert.kind === 'waiting_room';
  const shop: Field = {
    name: isRoom ? 'Shop' : 'Retailer',
    value: escapeMarkdown(cut(watch.shop, SHOP_NAME_LIMIT)),
    inline: true,
  };
  if (!isRoom) return describeProduct(input, { name, url, shop });
  const opened = timeMark(alert.opened_at, 'T');
  if (alert.status === 'closed') {
    const closedAt = alert.closed_at ?? alert.last_seen_at;
    const lasted = describeDuration(fromIso(closedAt) - fromIso(alert.opened_at));
    return {
      title: `${name}: the waiting room has closed`,
      url,
      description: `It lasted ${lasted}. Opened ${opened}, closed ${timeMark(closedAt, 'T')}.`,
      color: COLOURS.open,
      fields: [shop, ...headStartField(input)],
      footer: ' watches the shop and tells you when the next one opens',
      timestamp: closedAt,
    };
  }
  return {
    title: `${name}: the waiting room is open`,
    url,
    description:
      audience === 'instant'
        ? 'Open the shop now and keep the page open: you are let in when it is your turn.'
        : 'See the details and get in line.',
    color: COLOURS.waitingRoom,
    fields: [
      { name: 'Opened', value: `${opened} (${timeMark(alert.opened_at, 'R')})`, inline: true },
      shop,
      ...headStartField(input),
    ],
    timestamp: alert.opened_at,
  };
}

function thumbnailOf(
  { imageUploadId = null }: AlertedWatch,
  appUrl: string,
): Pick<DiscordEmbed, 'thumbnail'> {
  if (imageUploadId === null) return {};
  return { thumbnail: { url: new URL(uploadPath(imageUploadId, SHARE_IMAGE_NAME), appUrl).href } };
}

/** Renders an alert in its current state: open, paused or closed. Used for the first post and for every edit. */
export function renderAlertMessage(input: AlertMessageInput): DiscordMessage {
  const watch = input.watch ?? DEFAULT_WATCH;
  const { fields, footer = '', ...embed } = describeAlert(input, watch);
  const repeat = input.mayRepeat ? REPEAT : '';
  const removed = input.alert.close_reason === 'removed';
  const status: Field = {
    name: 'Status',
    value: markdownLink(
      removed ? 'Every shop that we watch' : 'All shops, and the best hours to be awake',
      removed ? new URL('/status', input.appUrl).href : statusLink(input.appUrl, watch),
    ),
  };
  return discordMessage({
    username: PRODUCT_NAME,
    roleId: input.roleId,
    embed: {
      ...embed,
      ...thumbnailOf(watch, input.appUrl),
      // Products are not on the status page.
      fields: input.alert.kind === 'waiting_room' ? [...fields, status] : fields,
      footer: { text: `${PRODUCT_NAME}${footer}${repeat}` },
    },
  });
}

/**
 * Renders a notice to the admins. Its text may quote outside services and is escaped. `mayRepeat`: an earlier attempt may
 * have arrived.
 */
export function renderNoticeMessage(
  notice: Selectable<AdminNoticesTable>,
  appUrl: string,
  { mayRepeat = false } = {},
): DiscordMessage {
  return discordMessage({
    username: PRODUCT_NAME,
    embed: {
      title: notice.title,
      url: appUrl,
      description: escapeMarkdown(notice.body),
      color: COLOURS.unknown,
      footer: { text: `${PRODUCT_NAME} for admins${mayRepeat ? REPEAT : ''}` },
      timestamp: notice.created_at,
    },
  });
}

/** Renders the message of `webhook test`. */
export function renderTestMessage({
  audience,
  watch,
  appUrl,
  now,
}: {
  audience: string;
  /** The watch whose alerts the channel gets. */
  watch: Pick<AlertedWatch, 'shop' | 'title'>;
  appUrl: string;
  now: string;
}): DiscordMessage {
  return discordMessage({
    username: PRODUCT_NAME,
    embed: {
      title: `${PRODUCT_NAME}: test alert`,
      url: appUrl,
      description: `This is a test. Alerts of ${escapeMarkdown(cut(`${watch.title} at ${watch.shop}`, 2 * SHOP_NAME_LIMIT))} for the ${audience} audience will appear in this channel.`,
      color: COLOURS.test,
      fields: [{ name: 'Status', value: markdownLink('What every shop shows now', `${appUrl}/status`) }],
      footer: { text: `${PRODUCT_NAME} · nothing has happened at the shop` },
      timestamp: now,
    },
  });
}
