import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { AddressForm, PreviewPage } from '~/components/monitor/products/preview-page';
import { PRODUCT_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { Notice } from '~/components/ui/notice';
import { requireAdmin } from '~/http/auth/session.server';
import { newProductForms, readPreviewPage } from '~/routes/admin/monitor/products/new-product.server';

const HEADING = 'Add a product';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readPreviewPage(request);
}

export const action = newProductForms.action;

export const clientAction = keepFormOnNetworkError(PRODUCT_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled(HEADING);

export default function NewProduct() {
  const { preview, url, products, isExpired } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={HEADING}
      intro="Paste the address of a product’s page. You can check what we found before anything is saved."
    >
      <div className="grid gap-5">
        {isExpired ? <Notice kind="error">This preview has expired. Preview the page again.</Notice> : null}
        <AddressForm key={preview?.id ?? ''} url={url} isSeen={preview !== null} />
        {preview === null ? null : <PreviewPage preview={preview} products={products} />}
      </div>
    </AdminSection>
  );
}
