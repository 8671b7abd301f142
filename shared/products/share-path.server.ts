import { createHash } from 'node:crypto';
import type { ListedProduct } from './offer';

/** The path of the image for previews of links to a product. It names what the image shows, so that the image never changes. */
export function sharePathOf({
  slug,
  title,
  state,
  detail,
  isChecked,
  isGone,
  price,
  offers,
  image,
}: ListedProduct): string {
  const shown = [
    title,
    state,
    detail,
    isChecked,
    isGone,
    price,
    offers[0]?.retailer.name,
    ...(image === null ? [] : [image.path]),
  ];
  const version = createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16);
  return `/restock/${encodeURIComponent(slug)}/share/${version}.png`;
}
