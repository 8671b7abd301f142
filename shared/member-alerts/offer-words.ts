import { formatMoney } from '../money';
import type { MessageOffer } from './read-batch';

/** A notification shows some lines of text. */
const MAX_VARIANTS = 5;

const TITLES = {
  restock: 'is back in stock',
  preorder: 'can be pre-ordered',
  price_drop: 'costs less',
  release: 'comes out today',
  end: 'is no longer sold',
  unwatched: 'is no longer checked',
  retired: 'is no longer watched',
} as const;

/** The text of a message that is about no single offer. */
const BODIES = {
  release: 'See who sells it, and for how much.',
  end: 'None of the shops we check sells it any more. You still follow it: if a shop sells it again, we alert you as before.',
  unwatched:
    'We no longer check it at any shop. You still follow it: if we check it again, we alert you as before.',
  retired:
    'We no longer check it, so you will get no more alerts about it. Its page keeps the price history.',
} as const;

const isOfNoOffer = (kind: MessageOffer['kind']): kind is keyof typeof BODIES => kind in BODIES;

/**
 * The title and the text of a message about an offer: product, retailer, price, availability, variants. `title` fits the
 * subject of a mail, `body` is one line.
 */
export function offerWords({
  kind,
  product,
  retailer,
  price,
  previousPrice,
  variants,
  isLimited,
}: MessageOffer): {
  title: string;
  body: string;
} {
  const title = `${product.title} ${TITLES[kind]}`;
  if (isOfNoOffer(kind)) return { title, body: BODIES[kind] };
  const before = previousPrice === null ? '' : ` instead of ${formatMoney(previousPrice)}`;
  const more = variants.length - MAX_VARIANTS;
  const parts = [
    price === null ? null : `${formatMoney(price)}${before}`,
    isLimited ? 'only a few left' : kind === 'preorder' ? 'pre-order' : 'in stock',
    variants.length === 0
      ? null
      : `${variants.slice(0, MAX_VARIANTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  ];
  return {
    title,
    body: `${retailer}: ${parts.filter((part) => part !== null).join(', ')}`,
  };
}
