import type { Selectable } from 'kysely';
import { toIso } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
import type { ProductsTable } from '../../database/tables/monitor/products';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import { shorten } from '../../text';
import { freeSlug } from '../watches/slugs';
import { isSameGtin } from './gtin';
import { NO_IMAGE, pendingImage } from './product-image';

export type Product = Selectable<ProductsTable>;

/** Finds a product that is not deleted by its slug. Throws `NotFound` (`unknown_product`). */
export async function requireProduct(db: Database, slug: string): Promise<Product> {
  const product = await db
    .selectFrom('products')
    .selectAll()
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (product !== undefined) return product;
  throw new DomainError('NotFound', {
    code: 'unknown_product',
    message: `There is no product called ${shorten(slug, { fits: 60 })}.`,
    fieldErrors: { productSlug: ['There is no product with this name.'] },
  });
}

/** Finds the product that has a GTIN, in whichever of its lengths, or null. */
export async function findProductByGtin(db: Database, gtin: string): Promise<Product | null> {
  const digits = gtin.replace(/^0+/, '');
  const spellings = [8, 12, 13, 14].flatMap((length) =>
    digits.length > length ? [] : [digits.padStart(length, '0')],
  );
  const product = await db
    .selectFrom('products')
    .selectAll()
    .where('gtin', 'in', spellings)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return product ?? null;
}

/** The known data of a product before its page is watched. */
export interface NewProduct {
  /** The slug of a product that exists. */
  productSlug?: string | undefined;
  title?: string | undefined;
  brand?: string | undefined;
  gtin?: string | undefined;
  imageUrl?: string | undefined;
}

/**
 * The product of a new watch: the one with the slug, else the one with the GTIN, else a new one. A product of the given slug
 * that has no GTIN gets the given one; one without an image, the given address of it. Throws `NotFound` (`unknown_product`), `Conflict` (`other_gtin`: the product, or the
 * GTIN, is another's; `product_retired`) and `Invalid` when a new product has no title, each with the field in `fieldErrors`.
 */
export async function findOrAddProduct(trx: Transaction, fields: NewProduct, now: number): Promise<Product> {
  const product = await findOrInsert(trx, fields, now);
  const { imageUrl } = fields;
  if (imageUrl === undefined || product.image_url !== null) return product;
  const image = pendingImage(imageUrl);
  await trx.updateTable('products').set(image).where('id', '=', product.id).execute();
  return { ...product, ...image };
}

async function findOrInsert(
  trx: Transaction,
  { productSlug, title, brand, gtin }: NewProduct,
  now: number,
): Promise<Product> {
  const known = gtin === undefined ? null : await findProductByGtin(trx, gtin);
  if (productSlug !== undefined) {
    const product = await requireProduct(trx, productSlug);
    requireActive(product);
    if (gtin === undefined) return product;
    if (known !== null && known.id !== product.id)
      throw otherGtin(`The product ${known.slug} has this GTIN.`);
    if (product.gtin !== null && !isSameGtin(product.gtin, gtin))
      throw otherGtin(`The product ${product.slug} has the GTIN ${product.gtin}.`);
    if (product.gtin !== null) return product;
    await trx.updateTable('products').set({ gtin }).where('id', '=', product.id).execute();
    return { ...product, gtin };
  }
  if (known !== null) {
    requireActive(known);
    return known;
  }
  if (title === undefined) {
    const message = 'Please enter the title of the product.';
    throw new DomainError('Invalid', { code: 'title_missing', message, fieldErrors: { title: [message] } });
  }
  const product: Product = {
    id: newId(),
    slug: await freeSlug(trx, { title, shop: 'product' }),
    title,
    brand: brand ?? null,
    gtin: gtin ?? null,
    ...NO_IMAGE,
    released_on: null,
    list_price_amount: null,
    currency: null,
    created_at: toIso(now),
    retired_at: null,
    end_announced_at: null,
    deleted_at: null,
  };
  await trx.insertInto('products').values(product).execute();
  return product;
}

/** Throws `Conflict` (`product_retired`) for a product that is no longer watched. */
export function requireActive({ title, retired_at }: Pick<Product, 'title' | 'retired_at'>): void {
  if (retired_at === null) return;
  const message = `${title} is retired. Restore the product first.`;
  throw new DomainError('Conflict', {
    code: 'product_retired',
    message,
    fieldErrors: { productSlug: [message] },
  });
}

/** A GTIN is of one product. */
export function otherGtin(message: string): DomainError {
  return new DomainError('Conflict', { code: 'other_gtin', message, fieldErrors: { gtin: [message] } });
}

/** A longer list could not be read on one screen. */
const MAX_LISTED = 1_000;

/** The products that are not deleted, by title: at most a thousand. */
export function listProductNames(db: Database): Promise<{ slug: string; title: string }[]> {
  return db
    .selectFrom('products')
    .select(['slug', 'title'])
    .where('deleted_at', 'is', null)
    .orderBy('title')
    .limit(MAX_LISTED)
    .execute();
}
