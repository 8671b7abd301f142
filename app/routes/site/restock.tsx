import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { toIso } from '#shared/clock';
import { describeRestock } from '#shared/restock/describe-restock';
import { findProduct } from '#shared/restock/find-product';
import { SiteFooter } from '~/components/page/site-footer';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import { PageNav } from '~/components/page/page-nav';
import { ComparisonTable } from '~/components/restock/comparison-table';
import { ProductCard } from '~/components/restock/product-card';
import { META, WAITING_ROOM } from '~/components/restock/restock-content';
import { Testimonials } from '~/components/restock/testimonials';
import type { WatchedRoom } from '~/components/restock/waiting-room-view';
import { WaitingRoomCard } from '~/components/restock/waiting-room-card';
import type { PageHandle } from '~/components/site/page-handle';
import { readWatchedRoom } from '~/routes/site/restock.server';
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
  const product = await findProduct(db, { productId, targetUrl: config.monitor.targetUrl });
  return {
    path: `/restock/${encodeURIComponent(productId)}`,
    restock: describeRestock(new URL(request.url).searchParams, product),
    watch: product?.watch ?? null,
    room: product === null ? null : await readRoom(request, product.watch.id),
  };
}

// Contains no product text, which comes from the address: anyone could put any text under our name.
export const meta: MetaFunction<typeof loader> = ({ matches, data }) => {
  const page = {
    appUrl: appUrlOf(matches),
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

export default function RestockPage() {
  const { restock, room, watch } = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="outline-none">
        {room === null || watch === null ? (
          <ProductCard restock={restock} />
        ) : (
          <WaitingRoomCard restock={restock} room={room} slug={watch.slug} />
        )}
        <ComparisonTable />
        <Testimonials />
      </main>
      <SiteFooter />
    </>
  );
}
