import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { PRODUCTS_PATH, suggestionsAddress } from '~/components/monitor/monitor-addresses';
import { SuggestionList } from '~/components/monitor/products/suggestion-list';
import { PRODUCT_FAILED } from '~/components/monitor/watch-texts';
import { ButtonLink } from '~/components/ui/button';
import { PageLinks } from '~/components/ui/page-links';
import { requireAdmin } from '~/http/auth/session.server';
import { readSuggestionList, suggestionForms } from '~/routes/admin/monitor/products/product-pages.server';

const HEADING = 'Suggestions';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readSuggestionList(request);
}

export const action = suggestionForms.action;

export const clientAction = keepFormOnNetworkError(PRODUCT_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export default function Suggestions() {
  const { suggestions, page, totalPages, now } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={HEADING}
      intro="Pages of products that members would like to follow. Nothing is requested from a shop before you look at a page."
    >
      <div className="grid gap-5">
        <p>
          <ButtonLink href={PRODUCTS_PATH}>Products</ButtonLink>
        </p>
        <SuggestionList suggestions={suggestions} now={now} />
        <PageLinks
          label="Pages of the suggestions"
          page={page}
          totalPages={totalPages}
          addressOf={suggestionsAddress}
        />
      </div>
    </AdminSection>
  );
}
