import { OfferTable } from '~/components/products/offer-table';
import { PriceSection } from '~/components/products/price-section';
import { ProductHead, type ProductHeadProps } from '~/components/products/product-head';
import type { ProductPage } from '~/routes/site/products/products.server';

type ProductProps = { page: ProductPage } & Pick<ProductHeadProps, 'greeting' | 'isPro' | 'isFollowed'>;

/** The page of a product: its state, where it is sold, and its prices. */
export default function Product({ page, ...more }: ProductProps) {
  const { product, variants, history, advanced, now } = page;
  return (
    <>
      <ProductHead {...page} {...more} nowMs={now} />
      <OfferTable offers={product.offers} variants={variants} nowMs={now} />
      <PriceSection
        product={product}
        retailer={product.offers[0]?.retailer.name ?? null}
        history={history}
        advanced={advanced}
      />
    </>
  );
}
