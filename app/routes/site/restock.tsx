import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { hasHeadStart } from '#shared/accounts/profile';
import { toMainUnit } from '#shared/money';
import { PRODUCT_NAME } from '#shared/brand';
import { toIso } from '#shared/clock';
import { isFollowing } from '#shared/follows/follows';
import { findProductId } from '#shared/products/reading/products';
import { describeRestock } from '#shared/restock/describe-restock';
import { findProduct } from '#shared/restock/find-product';
import { SiteFooter } from '~/components/page/site-footer';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import { pagePart } from '~/components/lazy/page-part';
import { PageNav } from '~/components/page/page-nav';
import {
  LIST,
  priceWords,
  productDescription,
  productPath,
  PRODUCTS_PATH,
  productTitle,
  standingWords,
} from '~/components/products/product-words';
import { productSnippet } from '~/components/products/product-snippet';
import { ComparisonTable } from '~/components/restock/comparison-table';
import { META, WAITING_ROOM } from '~/components/restock/restock-content';
import { Testimonials } from '~/components/restock/testimonials';
import type { WatchedRoom } from '~/components/restock/waiting-room-view';
import { breadcrumbs } from '~/components/site/structured-data';
import type { PageHandle } from '~/components/site/page-handle';
import { readWatchedRoom } from '~/routes/site/restock.server';
import { readProductPage, type ProductPage } from '~/routes/site/products/products.server';
import { findPublicViewer } from '~/http/auth/session.server';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';
import { statusAudience } from './status-audience.server';

/** The product image may come from any shop. */
export const handle: PageHandle = { imageSources: ['https:'], footer: 'own' };

/** A state that cannot be read is logged, and the page says so. */
async function readRoom(request: Request, watchId: string): Promise<WatchedRoom> {
  const audience = await statusAudience(request);
  const room = await loadOptional(() => readWatchedRoom(audience, watchId));
  return room ?? { live: null, lastAlert: null, now: toIso(serverContext().clock.now()) };
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const productId = params.productId ?? '';
  const { db, config } = serverContext();
  const parameters = new URL(request.url).searchParams;
  const found = await findProductId(db, productId);
  if (found !== null) {
    const viewer = await findPublicViewer(request);
    const isPro = viewer !== null && hasHeadStart(viewer);
    const page = await readProductPage(isPro ? 'instant' : 'free', { id: found.id, isPro });
    const { username, source } = describeRestock(parameters, null);
    const isFollowed =
      viewer !== null &&
      (await loadOptional(() => isFollowing(db, { userId: viewer.account.id, productId: found.id })));
    if (page !== null)
      return {
        kind: 'product' as const,
        page,
        isPro,
        isFollowed: isFollowed === true,
        greeting: { username, source },
      };
  }
  const product = await findProduct(db, { productId, targetUrl: config.monitor.targetUrl });
  return {
    kind: 'restock' as const,
    path: `/restock/${encodeURIComponent(productId)}`,
    restock: describeRestock(parameters, product),
    watch: product?.watch ?? null,
    room: product === null ? null : await readRoom(request, product.watch.id),
  };
}

const AVAILABILITY = {
  in_stock: 'InStock',
  limited: 'LimitedAvailability',
  preorder: 'PreOrder',
  out_of_stock: 'OutOfStock',
  unknown: null,
} as const;

/** The meta descriptors of a product's page. Its texts are our own records. */
function productMeta({ product, sharePath }: ProductPage, appUrl: string) {
  const { slug, title, brand, gtin, price, offers, retiredAt } = product;
  const path = productPath(slug);
  const image = {
    path: sharePath,
    type: 'image/png',
    width: 1200,
    height: 630,
    alt: `${title}: ${standingWords({ ...product, detail: null })}, ${priceWords(price, product.isChecked)}`,
  } as const;
  const priced = offers.flatMap(({ url, retailer, state, price: asked, discontinuedAt }) =>
    // The prices of a retired product are old.
    asked === null || asked.currency !== price?.currency || retiredAt !== null
      ? []
      : [
          {
            url,
            seller: retailer.name,
            price: toMainUnit(asked).amount,
            currency: asked.currency,
            availability: discontinuedAt === null ? AVAILABILITY[state] : ('Discontinued' as const),
          },
        ],
  );
  return pageMeta({
    title: productTitle(title),
    shareTitle: title,
    description: productDescription(product),
    path,
    appUrl,
    image,
    about: [
      productSnippet(appUrl, {
        path,
        name: title,
        brand,
        gtin,
        image: product.image ?? image,
        offers: priced,
      }),
      breadcrumbs(appUrl, [
        { name: PRODUCT_NAME, path: '/' },
        { name: LIST.title, path: PRODUCTS_PATH },
        { name: title, path },
      ]),
    ],
  });
}

// Without a record the page contains no product text, which comes from the address: anyone could put any text under our name.
export const meta: MetaFunction<typeof loader> = ({ matches, data }) => {
  const appUrl = appUrlOf(matches);
  if (data?.kind === 'product') return productMeta(data.page, appUrl);
  const page = {
    appUrl,
    path: data?.path ?? '/',
    ...(data?.watch
      ? { ...WAITING_ROOM.meta, description: WAITING_ROOM.meta.description(data.watch.title) }
      : META),
  };
  return [
    ...pageMeta({ ...page, indexed: false }),
    { tagName: 'link', rel: 'canonical', href: page.appUrl + page.path },
  ];
};

const loadProduct = () => import('./products/product-view');
const loadRoom = () => import('./restock-view');
const Product = pagePart('product-view', loadProduct, import.meta.env.SSR ? await loadProduct() : null);
const Restock = pagePart('restock-view', loadRoom, import.meta.env.SSR ? await loadRoom() : null);

export default function RestockPage() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="outline-none">
        {loaded.kind === 'product' ? <Product {...loaded} /> : <Restock {...loaded} />}
        <ComparisonTable />
        <Testimonials />
      </main>
      <SiteFooter />
    </>
  );
}
