import { toMainUnit, type Money } from '../../money';
import type { Database } from '../../database/schema';
import type { ProductJudgement, ProductSign, ProductVariant } from '../checks/verdict';
import { contradictionsOf, findPreview, type PreviewResult } from './previews';
import { findProductByGtin } from './products';

/** A preview as the API and the page show it; prices are in the main unit of their currency. */
export interface DescribedPreview {
  id: string;
  url: string;
  requestedAt: string;
  /** Null while the daemon has not looked at the page. */
  seen: SeenPage | null;
}

/** The daemon's result for a page. */
export interface SeenPage
  extends
    Omit<ProductJudgement, 'price' | 'variants' | 'signs'>,
    Pick<
      PreviewResult,
      | 'finalUrl'
      | 'status'
      | 'responseTimeMs'
      | 'bodyLength'
      | 'error'
      | 'robots'
      | 'imageUrl'
      | 'brand'
      | 'platform'
    > {
  price: Money | null;
  variants: (Omit<ProductVariant, 'price'> & { price: Money | null })[];
  signs: ProductSign[];
  /** The signs that the verdict overruled. */
  contradictions: ProductSign[];
  /** The product that we have with the page's GTIN. */
  known: { slug: string; title: string } | null;
  /** The retailer that we have with the page's host. */
  retailer: string | null;
  /** The watches that check this page already. */
  watches: { slug: string; variantKey: string | null }[];
}

const shownPrice = (price: Money | null): Money | null => (price === null ? null : toMainUnit(price));

/** Describes a preview; null when there is none, or it has expired. */
export async function describePreview(
  db: Database,
  id: string,
  now: number,
): Promise<DescribedPreview | null> {
  const preview = await findPreview(db, id, now);
  if (preview === null) return null;
  const { url, requestedAt, result } = preview;
  if (result === null) return { id, url, requestedAt, seen: null };
  const { product, ...facts } = result;
  const known = product.gtin === null ? null : await findProductByGtin(db, product.gtin);
  const retailer = await db
    .selectFrom('retailers')
    .select('name')
    .where('host', '=', new URL(url).host)
    .executeTakeFirst();
  const watches = await db
    .selectFrom('watches')
    .select(['slug', 'variant_key as variantKey'])
    .where('kind', '=', 'product')
    .where('url', '=', url)
    .where('deleted_at', 'is', null)
    .execute();
  const seen: SeenPage = {
    ...facts,
    ...product,
    price: shownPrice(product.price),
    variants: product.variants.map((variant) => ({ ...variant, price: shownPrice(variant.price) })),
    contradictions: contradictionsOf(product),
    known: known === null ? null : { slug: known.slug, title: known.title },
    retailer: retailer?.name ?? null,
    watches,
  };
  return { id, url, requestedAt, seen };
}
