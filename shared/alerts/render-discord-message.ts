import type { Selectable } from 'kysely';
import { PRODUCT_NAME, SHOP } from '../brand';
import { fromIso, SECOND, describeDuration } from '../clock';
import type { AdminNoticesTable } from '../database/tables/admin-notices';
import type { AlertsTable } from '../database/tables/alerts';
import { FREE_DELAY_MS } from './alert-timing';

/** The body of Execute Webhook and Edit Webhook Message, as far as we use it (Discord docs, "Webhook resource"). */
export interface DiscordMessage {
  username?: string;
  content: string;
  embeds: DiscordEmbed[];
  allowed_mentions: { parse: []; roles?: string[] };
}

export interface DiscordEmbed {
  title: string;
  url?: string;
  description: string;
  color: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  footer?: { text: string };
  timestamp?: string;
}

/** Discord docs, "Message resource", Embed limits. */
const TITLE_LIMIT = 256;
const DESCRIPTION_LIMIT = 4096;

const LIVE_COLOUR = 0xc4314b;
const CLOSED_COLOUR = 0x5b6472;
const NOTICE_COLOUR = 0xb7791f;

/**
 * Truncates to `limit` code units, the strictest way in which Discord may count, without splitting a surrogate pair.
 */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Escapes outside text, so that it cannot become links, pings or formatting. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~|>#[\]()<@:-]/g, '\\$&');
}

/** Discord's timestamp markup, shown in each reader's time zone. `T`: time, `R`: relative. */
function timeMark(iso: string, style: 'T' | 'R' | 'F'): string {
  return `<t:${Math.floor(fromIso(iso) / SECOND)}:${style}>`;
}

/** The link to the restock page for free members, with the parameters that the page shows. */
export function restockLink(appUrl: string, shop: Shop = SHOP): string {
  const link = new URL(`/restock/${shop.slug}`, appUrl);
  link.searchParams.set('name', `${shop.name} waiting room`);
  link.searchParams.set('price', 'See the shop');
  link.searchParams.set('retailer', shop.name);
  link.searchParams.set('source', 'discord');
  return link.href;
}

/** The slug and the display name of a watch's shop. */
interface Shop {
  slug: string;
  name: string;
}

export interface AlertMessageInput {
  shop?: Shop;
  alert: Selectable<AlertsTable>;
  audience: 'instant' | 'free';
  appUrl: string;
  /** The role that the first post pings; edits never ping. */
  roleId: string | null;
  /** An earlier attempt may have arrived. */
  mayRepeat: boolean;
}

/** Renders an alert in its current state: open, paused or closed. Used for the first post and for every edit. */
export function renderAlertMessage({
  shop = SHOP,
  alert,
  audience,
  appUrl,
  roleId,
  mayRepeat,
}: AlertMessageInput): DiscordMessage {
  const url = audience === 'instant' ? alert.target_url : restockLink(appUrl, shop);
  const opened = `Opened ${timeMark(alert.opened_at, 'T')}`;
  const repeat = mayRepeat ? ' · Sent again after an interruption: you may have seen this already' : '';
  const shown = {
    username: PRODUCT_NAME,
    allowed_mentions: { parse: [] as [], ...(roleId === null ? {} : { roles: [roleId] }) },
    content: roleId === null ? '' : `<@&${roleId}>`,
  };

  if (alert.close_reason === 'moved') {
    return {
      ...shown,
      embeds: [
        {
          title: `${shop.name}: monitoring has moved`,
          url,
          description: `The waiting room was open when we last looked at ${timeMark(alert.last_seen_at, 'T')}. ${opened}. Monitoring has moved to another page since, so we cannot say when it closed.`,
          color: CLOSED_COLOUR,
          footer: { text: `${PRODUCT_NAME}${repeat}` },
        },
      ],
    };
  }

  if (alert.status === 'closed') {
    const closedAt = alert.closed_at ?? alert.last_seen_at;
    const lasted = describeDuration(fromIso(closedAt) - fromIso(alert.opened_at));
    return {
      ...shown,
      embeds: [
        {
          title: `${shop.name}: the waiting room has closed`,
          url,
          description: `It lasted ${lasted}. ${opened}, closed ${timeMark(closedAt, 'T')}.`,
          color: CLOSED_COLOUR,
          footer: { text: `${PRODUCT_NAME} watches the shop and tells you when the next one opens${repeat}` },
        },
      ],
    };
  }

  if (alert.status === 'suspended') {
    return {
      ...shown,
      embeds: [
        {
          title: `${shop.name}: monitoring is paused`,
          url,
          description: `The waiting room was open when we last looked at ${timeMark(alert.last_seen_at, 'T')}. ${opened}. We are not watching right now, so we cannot say whether it still is.`,
          color: CLOSED_COLOUR,
          footer: { text: `${PRODUCT_NAME}${repeat}` },
        },
      ],
    };
  }

  const call =
    audience === 'instant'
      ? 'Open the shop now and keep the page open: you are let in when it is your turn.'
      : `See the details and get in line. Pro members heard ${FREE_DELAY_MS / SECOND} seconds earlier.`;
  return {
    ...shown,
    embeds: [
      {
        title: `${shop.name}: the waiting room is open`,
        url,
        description: call,
        color: LIVE_COLOUR,
        fields: [
          {
            name: 'Opened',
            value: `${timeMark(alert.opened_at, 'T')} (${timeMark(alert.opened_at, 'R')})`,
            inline: true,
          },
          { name: 'Shop', value: shop.name, inline: true },
        ],
        footer: { text: `${PRODUCT_NAME}${repeat}` },
        timestamp: alert.opened_at,
      },
    ],
  };
}

/** Renders a notice to the admins. Its text may quote outside services and is escaped. */
export function renderNoticeMessage(notice: Selectable<AdminNoticesTable>, appUrl: string): DiscordMessage {
  return {
    username: PRODUCT_NAME,
    content: '',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(notice.title, TITLE_LIMIT),
        url: appUrl,
        description: cut(escapeMarkdown(notice.body), DESCRIPTION_LIMIT),
        color: NOTICE_COLOUR,
        footer: { text: `${PRODUCT_NAME} for admins` },
        timestamp: notice.created_at,
      },
    ],
  };
}

/** Renders the message of `webhook test`. */
export function renderTestMessage({
  audience,
  appUrl,
  now,
}: {
  audience: string;
  appUrl: string;
  now: string;
}): DiscordMessage {
  return {
    username: PRODUCT_NAME,
    content: '',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: `${PRODUCT_NAME}: test alert`,
        url: appUrl,
        description: `This is a test. Alerts for the ${audience} audience will appear in this channel.`,
        color: CLOSED_COLOUR,
        footer: { text: `${PRODUCT_NAME} · nothing has happened at the shop` },
        timestamp: now,
      },
    ],
  };
}
