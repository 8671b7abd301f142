import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import {
  CASES_PATH,
  MONITOR_PATH,
  NEW_PRODUCT_PATH,
  suggestionsAddress,
} from '~/components/monitor/monitor-addresses';
import { ShopList } from '~/components/monitor/products/shop-list';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { ButtonLink } from '~/components/ui/button';
import { requireAdmin } from '~/http/auth/session.server';
import { readShopList } from '~/routes/admin/monitor/products/product-pages.server';

const HEADING = 'Products';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readShopList();
}

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export default function Products() {
  const { shops, waiting } = useLoaderData<typeof loader>();
  const { result } = useForms(['delete-product']);
  return (
    <AdminSection heading={HEADING} intro="The products that are watched, by shop.">
      <div className="grid gap-5">
        <FormNotice result={result} />
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href={NEW_PRODUCT_PATH} variant="primary">
            Add a product
          </ButtonLink>
          <ButtonLink href={suggestionsAddress()}>
            {waiting === 0 ? 'Suggestions' : `Suggestions (${waiting})`}
          </ButtonLink>
          <ButtonLink href={CASES_PATH}>Wrong verdicts</ButtonLink>
          <ButtonLink href={MONITOR_PATH}>Waiting rooms</ButtonLink>
        </div>
        <ShopList shops={shops} />
      </div>
    </AdminSection>
  );
}
