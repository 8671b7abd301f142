import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { PRODUCTS_PATH } from '~/components/monitor/monitor-addresses';
import { OfferList } from '~/components/monitor/products/offer-list';
import { DeleteProduct, ProductForm, RetireProduct } from '~/components/monitor/products/product-forms';
import { PRODUCT_FAILED } from '~/components/monitor/watch-texts';
import { ProductImage } from '~/components/products/product-image';
import { titled } from '~/components/site/page-title';
import { ButtonLink } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { requireAdmin } from '~/http/auth/session.server';
import { productForms, readProductPage } from '~/routes/admin/monitor/products/product-pages.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readProductPage(params);
}

export const action = productForms.action;

export const clientAction = keepFormOnNetworkError(PRODUCT_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) => titled(data?.title ?? 'Product');

export default function ProductPage() {
  const { slug, title, values, image, imageNote, offers, isRetired, now } = useLoaderData<typeof loader>();
  return (
    <AdminSection heading={title} intro="A product, and the pages of shops where it is watched.">
      <div className="grid gap-5">
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href={PRODUCTS_PATH}>All shops</ButtonLink>
          <ButtonLink href={`/restock/${encodeURIComponent(slug)}`}>Public page</ButtonLink>
        </div>
        {offers.length === 0 ? (
          <p className="text-soft">It is not watched at any shop.</p>
        ) : (
          <OfferList offers={offers} now={now} />
        )}
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <ProductForm key={slug} values={values} />
          <div className="grid gap-5">
            <Panel title="Image">
              <ProductImage image={image} alt={title} sizes="12rem" className="aspect-square w-48" />
              {imageNote === null ? null : <p className="wrap-anywhere">{imageNote}</p>}
            </Panel>
            <RetireProduct isRetired={isRetired} />
            <DeleteProduct isWatched={offers.length > 0} />
          </div>
        </div>
      </div>
    </AdminSection>
  );
}
