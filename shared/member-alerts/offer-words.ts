import { formatMoney } from '../money';
import type { MessageOffer } from './read-batch';

/** A notification shows some lines of text. */
const MAX_VARIANTS = 5;

const STATES = { restock: 'is back in stock', preorder: 'can be pre-ordered' } as const;

/**
 * The title and the text of a message about an offer: product, retailer, price, availability, variants. `title` fits the
 * subject of a mail, `body` is one line.
 */
export function offerWords({ kind, product, retailer, price, variants, isLimited }: MessageOffer): {
  title: string;
  body: string;
} {
  const more = variants.length - MAX_VARIANTS;
  const parts = [
    price === null ? null : formatMoney(price),
    isLimited ? 'only a few left' : kind === 'preorder' ? 'pre-order' : 'in stock',
    variants.length === 0
      ? null
      : `${variants.slice(0, MAX_VARIANTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  ];
  return {
    title: `${product.title} ${STATES[kind]}`,
    body: `${retailer}: ${parts.filter((part) => part !== null).join(', ')}`,
  };
}
