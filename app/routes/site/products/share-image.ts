import { buffer } from 'node:stream/consumers';
import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { LRUCache } from 'lru-cache';
import type { ListedProduct } from '#shared/products/offer';
import { findProductId } from '#shared/products/reading/products';
import { priceWords, standingWords } from '~/components/products/product-words';
import { serverContext } from '~/http/server/context.server';
import { textResponse, withTextFailures } from '~/http/server/failures.server';
import { sharePathOf } from '#shared/products/share-path.server';
import { variantName, variantsOf } from '#shared/storage/images/variant-names';
import { uploadIdOf } from '#shared/storage/upload-path';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';

/** The images that were last asked for, by path: some 50 KB each. */
const drawn = new LRUCache<string, Promise<Buffer>>({ max: 100 });

/** It is drawn into a square of nearly this side (`draw-share-image.server.ts`). */
const DRAWN_WIDTH = 330;

/** The smallest stored variant of a product's image that is wide enough, else the largest; null without one. */
async function readImage({ image }: ListedProduct): Promise<Buffer | null> {
  const variants = image === null ? [] : variantsOf(image.path);
  const drawn = variants.find(({ width }) => width >= DRAWN_WIDTH) ?? variants.at(-1);
  const uploadId = drawn === undefined ? null : uploadIdOf(drawn.path);
  if (drawn === undefined || uploadId === null) return null;
  const stored = await serverContext().storage.open(uploadId, variantName(drawn.width));
  return stored === null ? null : buffer(stored.stream);
}

async function draw(product: ListedProduct): Promise<Buffer> {
  // Loaded with the first image, because of sharp.
  const { drawShareImage } = await import('./draw-share-image.server');
  return drawShareImage({
    title: product.title,
    state: product.state,
    stateWords: standingWords({ ...product, detail: null }),
    price: priceWords(product.price, product.isChecked),
    retailer: product.offers[0]?.retailer.name ?? '',
    image: await readImage(product),
  });
}

/**
 * The image for previews of links to a product's page. Its path names what it shows, so it is cached for a year; an older path
 * leads to the newest image.
 */
export function loader({ request, params }: LoaderFunctionArgs) {
  return withTextFailures(async () => {
    const found = await findProductId(serverContext().db, params.productId ?? '');
    const { products } = await readProductSnapshot('free');
    const product = products.find(({ id }) => id === found?.id);
    if (product === undefined) return textResponse('There is no such product.', 404);
    const path = sharePathOf(product);
    if (new URL(request.url).pathname !== path)
      return redirect(path, { headers: { 'Cache-Control': 'no-cache' } });
    const image = drawn.get(path) ?? draw(product);
    drawn.set(path, image);
    // A failed drawing is tried again.
    image.catch(() => drawn.delete(path));
    return new Response(new Uint8Array(await image), {
      headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=31536000, immutable' },
    });
  });
}
