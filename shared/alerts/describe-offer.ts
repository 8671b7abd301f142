import type { Selectable } from 'kysely';
import { describeDuration, fromIso } from '../clock';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import { cut, escapeMarkdown, timeMark, type DiscordEmbed } from '../channels/discord/discord-message';
import { variantsOf } from './alerted-offer';
import { formatMoney, type Money } from '../money';

type Alert = Selectable<AlertsTable>;
type Field = NonNullable<DiscordEmbed['fields']>[number];

/** The additional texts in the messages of a product alert. */
export interface MessageFacts {
  /** Whether little is left. */
  isLimited: boolean;
  /** The last other price of the offer; null when it had none. */
  previousPrice: Money | null;
  /** The lowest price of the last `days`, in the currency of the alert; null when we have not looked for a day. */
  lowest: { amount: number; days: number } | null;
  /** Of a pre-order: when the product came in stock, which ended it (ISO-8601); null: it ended otherwise, or not yet. */
  inStockAt: string | null;
}

/** The words for what an alert announced, by its kind. */
const WORDS = {
  restock: {
    open: 'is back in stock',
    closed: 'is sold out again',
    state: 'In stock',
    was: 'was in stock',
    lasted: 'In stock for',
    from: 'Back',
    until: 'gone',
  },
  preorder: {
    open: 'can be pre-ordered',
    closed: 'can no longer be pre-ordered',
    state: 'Pre-order',
    was: 'could be pre-ordered',
    lasted: 'It could be pre-ordered for',
    from: 'Opened',
    until: 'ended',
  },
} as const;

/** A field's value holds at most 1,024 characters; longer names leave no room for others. */
const VARIANT_LIMIT = 80;
const VARIANTS_LIMIT = 900;

const priceOf = ({ price_amount: amount, price_currency: currency }: Alert): Money | null =>
  amount === null || currency === null ? null : { amount, currency };

function priceText(price: Money, previous: Money | null): string {
  const text = formatMoney(price);
  if (previous === null || previous.currency !== price.currency || previous.amount === price.amount)
    return text;
  const change = formatMoney({ ...price, amount: Math.abs(price.amount - previous.amount) });
  return `${text} (${change} ${price.amount > previous.amount ? 'more' : 'less'} than before)`;
}

/** The names of the variants that can be had; as many as fit. */
function variantsText(alert: Alert): string | null {
  const names = variantsOf(alert).map(({ name }) => escapeMarkdown(cut(name, VARIANT_LIMIT)));
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    if ((length += name.length + 2) > VARIANTS_LIMIT) break;
    shown.push(name);
  }
  if (shown.length === 0) return null;
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/** The fields about an offer, while it can be had. */
export function offerFields(alert: Alert, { isLimited, previousPrice, lowest }: MessageFacts): Field[] {
  const words = WORDS[alert.kind === 'preorder' ? 'preorder' : 'restock'];
  const price = priceOf(alert);
  const variants = variantsText(alert);
  const fields: (Field | null)[] = [
    price === null ? null : { name: 'Price', value: priceText(price, previousPrice), inline: true },
    { name: 'Availability', value: isLimited ? 'Low stock' : words.state, inline: true },
    variants === null ? null : { name: 'Variants', value: variants },
    price === null || lowest === null
      ? null
      : {
          name: `Lowest in ${lowest.days === 1 ? '1 day' : `${lowest.days} days`}`,
          value: formatMoney({ ...price, amount: lowest.amount }),
          inline: true,
        },
  ];
  return fields.filter((field) => field !== null);
}

/**
 * The title and the sentences of an alert about a product, while it is open and once it has closed. `inStockAt`: see
 * `MessageFacts`.
 */
export function offerWords(
  alert: Alert,
  { name, inStockAt }: { name: string; inStockAt: string | null },
): { title: string; description: string } {
  const words = WORDS[alert.kind === 'preorder' ? 'preorder' : 'restock'];
  if (alert.status !== 'closed') {
    const trickling = ' It comes and goes: single units are added and sold.';
    return {
      title: `${name} ${words.open}`,
      description: `${words.from} ${timeMark(alert.opened_at, 'T')} (${timeMark(alert.opened_at, 'R')}).${alert.trickling === 1 ? trickling : ''}`,
    };
  }
  const closedAt = alert.closed_at ?? alert.last_seen_at;
  const lasted = describeDuration(fromIso(closedAt) - fromIso(alert.opened_at));
  const price = priceOf(alert);
  const ended =
    inStockAt === null
      ? `${words.until} ${timeMark(closedAt, 'T')}`
      : `in stock from ${timeMark(inStockAt, 'T')}`;
  return {
    title: `${name} ${inStockAt === null ? words.closed : 'could be pre-ordered until it came in stock'}`,
    description: `${words.lasted} ${lasted}${price === null ? '' : `, ${formatMoney(price)}`}. ${words.from} ${timeMark(alert.opened_at, 'T')}, ${ended}.`,
  };
}

/** The last known state of a product alert that is no longer checked. */
export function lastSeenOffer(alert: Alert): string {
  const words = WORDS[alert.kind === 'preorder' ? 'preorder' : 'restock'];
  return `It ${words.was} when we last looked at ${timeMark(alert.last_seen_at, 'T')}. ${words.from} ${timeMark(alert.opened_at, 'T')}.`;
}
