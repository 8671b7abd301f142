import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { NEW_PRODUCT_PATH, PRODUCTS_PATH, retailerAddress } from '~/components/monitor/monitor-addresses';
import { OfferList } from '~/components/monitor/products/offer-list';
import { ShopForm, TrustPanel } from '~/components/monitor/products/shop-forms';
import { DeleteWebhookDialog } from '~/components/monitor/screen/delete-webhook';
import { RetailerWebhooksPanel } from '~/components/monitor/screen/webhooks-panel';
import { PRODUCT_FAILED, WATCH_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { ButtonLink } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { PageLinks } from '~/components/ui/page-links';
import { requireAdmin } from '~/http/auth/session.server';
import { readShopPage, shopForms } from '~/routes/admin/monitor/products/product-pages.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readShopPage(request, params);
}

export const action = shopForms.action;

export const clientAction = keepFormOnNetworkError({ ...WATCH_FAILED, ...PRODUCT_FAILED });

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) => titled(data?.values.name ?? 'Shop');

export default function Shop() {
  const { host, values, watches, offers, trust, isHeld, page, totalPages, now, webhooks, deletingWebhook } =
    useLoaderData<typeof loader>();
  const path = retailerAddress(host);
  return (
    <AdminSection
      heading={values.name}
      intro={`The products that are watched at ${host}.`}
      first={
        deletingWebhook === null ? null : (
          <DeleteWebhookDialog audience={deletingWebhook} title={values.name} isProduct leaveTo={path} />
        )
      }
    >
      <div className="grid gap-5">
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href={PRODUCTS_PATH}>All shops</ButtonLink>
          <ButtonLink href={NEW_PRODUCT_PATH}>Add a product</ButtonLink>
        </div>
        {isHeld ? (
          <Notice kind="error">
            All verdicts of this shop are held back, because the product that is always in stock is not seen
            in stock: the shop may have changed its pages.
          </Notice>
        ) : null}
        {offers.length === 0 ? (
          <p className="text-soft">No product of this shop is watched.</p>
        ) : (
          <OfferList offers={offers} now={now} />
        )}
        <PageLinks
          label="Pages of the products"
          page={page}
          totalPages={totalPages}
          addressOf={(number) => retailerAddress(host, number)}
        />
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <ShopForm key={host} values={values} watches={watches} />
          <div className="grid gap-5">
            <RetailerWebhooksPanel webhooks={webhooks} path={path} />
            <TrustPanel trust={trust} />
          </div>
        </div>
      </div>
    </AdminSection>
  );
}
