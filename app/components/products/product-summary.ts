import type { ListedProduct } from '#shared/products/offer';

/** A product as lists show it. */
export type ProductSummary = Pick<
  ListedProduct,
  'slug' | 'title' | 'brand' | 'image' | 'state' | 'detail' | 'isChecked' | 'isGone' | 'since' | 'price'
> & {
  retailers: string[];
};

/** A product as lists show it. */
export const summaryOf = ({
  slug,
  title,
  brand,
  image,
  state,
  detail,
  isChecked,
  isGone,
  since,
  price,
  offers,
}: ListedProduct): ProductSummary => ({
  slug,
  title,
  brand,
  image,
  state,
  detail,
  isChecked,
  isGone,
  since,
  price,
  retailers: [...new Set(offers.map(({ retailer }) => retailer.name))],
});
