import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { PRODUCTS_PATH } from '~/components/monitor/monitor-addresses';
import { CaseList } from '~/components/monitor/products/case-list';
import { PRODUCT_FAILED } from '~/components/monitor/watch-texts';
import { titled } from '~/components/site/page-title';
import { ButtonLink } from '~/components/ui/button';
import { requireAdmin } from '~/http/auth/session.server';
import { caseForms, readCaseList } from '~/routes/admin/monitor/products/product-pages.server';

const HEADING = 'Wrong verdicts';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readCaseList();
}

export const action = caseForms.action;

export const clientAction = keepFormOnNetworkError(PRODUCT_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled(HEADING);

export default function Cases() {
  const { cases } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={HEADING}
      intro="Pages of products that were judged wrongly, with the right answers. “npm run monitor -- judge --cases” shows which of them the judge gets right."
    >
      <div className="grid gap-5">
        <p>
          <ButtonLink href={PRODUCTS_PATH}>Products</ButtonLink>
        </p>
        <CaseList cases={cases} />
      </div>
    </AdminSection>
  );
}
