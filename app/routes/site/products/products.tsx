import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import {
  filterProducts,
  MAX_SEARCH_LENGTH,
  retailersOf,
  type ProductFilter,
} from '#shared/products/reading/list-products';
import { AVAILABILITIES } from '#shared/monitor/checks/verdict';
import { PageNav } from '~/components/page/page-nav';
import { SiteFooter } from '~/components/page/site-footer';
import { LIST, PRODUCTS_FEED_PATH, PRODUCTS_PATH, RELEASES_PATH } from '~/components/products/product-words';
import { ProductFilterForm } from '~/components/products/product-filter-form';
import { ProductGrid } from '~/components/products/product-grid';
import { summaryOf } from '~/components/products/product-summary';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import { breadcrumbs } from '~/components/site/structured-data';
import type { PageHandle } from '~/components/site/page-handle';
import { Notice } from '~/components/ui/notice';
import { PageLinks, pageNumberOf } from '~/components/ui/page-links';
import { loadOptional } from '~/http/server/failures.server';
import { statusAudience } from '../status-audience.server';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';

const PER_PAGE = 24;

/** It ends with the footer of public pages. */
export const handle: PageHandle = { footer: 'own' };

/** The filter of the search parameters; a state that does not exist is no filter. */
function filterOf(parameters: URLSearchParams): ProductFilter {
  const state = parameters.get('state');
  const retailer = parameters.get('retailer') ?? '';
  return {
    q: (parameters.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH),
    state: AVAILABILITIES.find((name) => name === state) ?? null,
    retailer: retailer === '' ? null : retailer.slice(0, MAX_SEARCH_LENGTH),
  };
}

/** The address of a page of the list with a filter. */
function addressOf({ q, state, retailer }: ProductFilter, page: number): string {
  const parameters = Object.entries({ q, state, retailer, page: page === 1 ? null : String(page) }).flatMap(
    ([name, value]) => (value === null || value === '' ? [] : [[name, value]]),
  );
  return parameters.length === 0 ? PRODUCTS_PATH : `${PRODUCTS_PATH}?${new URLSearchParams(parameters)}`;
}

/** One page of the products. A list that cannot be read is empty, with status 503 so that it is not cached or indexed. */
export async function loader({ request }: LoaderFunctionArgs) {
  const filter = filterOf(new URL(request.url).searchParams);
  const page = pageNumberOf(request);
  const audience = await statusAudience(request);
  const snapshot = await loadOptional(() => readProductSnapshot(audience));
  const { now, products } = snapshot ?? { now: 0, products: [] };
  const found = filterProducts(products, filter);
  const totalPages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  if (page > totalPages) throw redirect(addressOf(filter, totalPages));
  return data(
    {
      filter,
      page,
      totalPages,
      now,
      found: found.length,
      total: products.length,
      products: found.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(summaryOf),
      retailers: retailersOf(products),
      failed: snapshot === null,
    },
    { status: snapshot === null ? 503 : 200 },
  );
}

export const meta: MetaFunction<typeof loader> = ({ data: list, matches }) => {
  const appUrl = appUrlOf(matches);
  const { page = 1, totalPages = 1, filter, failed = false } = list ?? {};
  const isFiltered = filter !== undefined && addressOf(filter, 1) !== PRODUCTS_PATH;
  const path = (number: number) => (number === 1 ? PRODUCTS_PATH : `${PRODUCTS_PATH}?page=${number}`);
  return pageMeta({
    title: LIST.metaTitle,
    shareTitle: LIST.title,
    description: LIST.description,
    path: path(page),
    appUrl,
    previousPath: page > 1 ? path(page - 1) : null,
    nextPath: page < totalPages ? path(page + 1) : null,
    about: [
      breadcrumbs(appUrl, [
        { name: PRODUCT_NAME, path: '/' },
        { name: LIST.title, path: PRODUCTS_PATH },
      ]),
    ],
    indexed: !isFiltered && !failed,
  });
};

export default function Products() {
  const { filter, page, totalPages, now, found, total, products, retailers, failed } =
    useLoaderData<typeof loader>();
  const link = 'underline underline-offset-4';
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap grid gap-6 pt-8 pb-12 outline-none lg:pt-12">
        <div className="grid gap-2">
          <h1 className="text-heading">{LIST.title}</h1>
          <p className="max-w-[46em] text-soft">{LIST.description}</p>
        </div>
        {failed ? (
          <Notice kind="error">The products could not be read. Please try again in a moment.</Notice>
        ) : (
          <>
            <ProductFilterForm key={JSON.stringify(filter)} filter={filter} retailers={retailers} />
            {/* Its height keeps what follows below the screen when a filter leaves few products. */}
            <div className="min-h-[75svh]">
              {products.length === 0 ? (
                <p className="binder px-5 py-8 text-soft">{total === 0 ? LIST.empty : LIST.nothingFound}</p>
              ) : (
                <section aria-label={found === 1 ? '1 product' : `${found} products`}>
                  <ProductGrid products={products} nowMs={now} />
                </section>
              )}
            </div>
            <PageLinks
              label="Pages of products"
              page={page}
              totalPages={totalPages}
              addressOf={(number) => addressOf(filter, number)}
            />
            <p className="text-small text-soft">
              States are at most five seconds old. The same for feed readers:{' '}
              <a href={PRODUCTS_FEED_PATH} className={link}>
                what came back
              </a>
              . For your calendar:{' '}
              <a href={RELEASES_PATH} className={link}>
                release days
              </a>
              .
            </p>
          </>
        )}
      </main>
      <SiteFooter />
    </>
  );
}
