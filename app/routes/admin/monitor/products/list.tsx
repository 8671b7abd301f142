import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import {
  CASES_PATH,
  MONITOR_PATH,
  NEW_PRODUCT_PATH,
  PRODUCTS_PATH,
  suggestionsAddress,
} from '~/components/monitor/monitor-addresses';
import { ShopList } from '~/components/monitor/products/shop-list';
import { SuggestionList, type SuggestionPage } from '~/components/monitor/products/suggestion-list';
import { PRODUCT_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { ButtonLink } from '~/components/ui/button';
import { requireAdmin } from '~/http/auth/session.server';
import {
  readShopList,
  readSuggestionPage,
  suggestionForms,
} from '~/routes/admin/monitor/products/product-pages.server';

const HEADING = 'Products';
const SUGGESTIONS = 'Suggestions';

/** The shops with their products; with `?tab=suggestions` what members suggest. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  if (new URL(request.url).searchParams.get('tab') === 'suggestions')
    return { shops: null, suggested: await readSuggestionPage(request) };
  return { shops: await readShopList(), suggested: null };
}

export const action = suggestionForms.action;

export const clientAction = keepFormOnNetworkError(PRODUCT_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  titled(data?.suggested ? SUGGESTIONS : HEADING);

function Suggestions({ suggested }: { suggested: SuggestionPage }) {
  return (
    <AdminSection
      heading={SUGGESTIONS}
      intro="Pages of products that members would like to follow. Nothing is requested from a shop until you preview a page."
    >
      <div className="grid gap-5">
        <p>
          <ButtonLink href={PRODUCTS_PATH}>Products</ButtonLink>
        </p>
        <SuggestionList suggested={suggested} />
      </div>
    </AdminSection>
  );
}

export default function Products() {
  const { shops, suggested } = useLoaderData<typeof loader>();
  const { result } = useForms(['delete-product']);
  if (suggested !== null) return <Suggestions suggested={suggested} />;
  const { list, waiting } = shops;
  return (
    <AdminSection heading={HEADING} intro="The products that are watched, by shop.">
      <div className="grid gap-5">
        <FormNotice result={result} />
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href={NEW_PRODUCT_PATH} variant="primary">
            Add a product
          </ButtonLink>
          <ButtonLink href={suggestionsAddress()}>
            {waiting === 0 ? SUGGESTIONS : `${SUGGESTIONS} (${waiting})`}
          </ButtonLink>
          <ButtonLink href={CASES_PATH}>Wrong verdicts</ButtonLink>
          <ButtonLink href={MONITOR_PATH}>Waiting rooms</ButtonLink>
        </div>
        <ShopList shops={list} />
      </div>
    </AdminSection>
  );
}
