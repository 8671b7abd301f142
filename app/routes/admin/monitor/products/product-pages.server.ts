import { redirect, data } from '@remix-run/node';
import { z } from 'zod';
import { listRetailerWebhooks } from '#shared/alerts/webhooks/webhooks';
import { toIso } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { followOperations } from '#shared/follows/follow-operations';
import { listSuggestions } from '#shared/follows/suggestions';
import { productChanges } from '#shared/monitor/products/change-product';
import { listCases } from '#shared/monitor/products/judge-cases.server';
import { findCanary, listOffers, listShops } from '#shared/monitor/products/list-shops';
import { productOperations } from '#shared/monitor/products/product-operations';
import { requireProduct, type Product } from '#shared/monitor/products/products';
import { requireRetailer, retailerChanges } from '#shared/monitor/products/retailers';
import { storedImageOf } from '#shared/monitor/products/stored-image';
import { isDistrusted, readSourceTrust } from '#shared/monitor/products/source-trust';
import {
  CASES_PATH,
  PRODUCTS_PATH,
  productAddress,
  retailerAddress,
  suggestionsAddress,
} from '~/components/monitor/monitor-addresses';
import type { SuggestionPage } from '~/components/monitor/products/suggestion-list';
import { PRODUCT_FAILED, WATCH_FAILED } from '~/components/monitor/watch-texts';
import { pageNumberOf } from '~/components/ui/page-links';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';
import { deletedAudience } from '../watch-page.server';
import { webhookForms } from '../webhook-forms.server';

const OFFERS_PER_PAGE = 40;
const SUGGESTIONS_PER_PAGE = 25;
/** The maximum number of product watches. */
const ALL_OFFERS = 1_000;

interface Params {
  product?: string | undefined;
  host?: string | undefined;
}

/** Runs `read`; throws 404 when its record does not exist. */
async function orMissing<Result>(read: Promise<Result>): Promise<Result> {
  return read.catch((error: unknown) => {
    throw error instanceof DomainError && error.kind === 'NotFound' ? data(null, { status: 404 }) : error;
  });
}

/** The shops with their products, and how many suggestions of members wait. */
export async function readShopList() {
  const { db, clock } = serverContext();
  const [list, { total }] = await Promise.all([
    listShops(db, clock.now()),
    listSuggestions(db, { limit: 1, offset: 0 }),
  ]);
  return { list, waiting: total };
}

/** The page of suggestions of `?page=`. */
export async function readSuggestionPage(request: Request): Promise<SuggestionPage> {
  const { db, clock } = serverContext();
  const page = pageNumberOf(request);
  const offset = (page - 1) * SUGGESTIONS_PER_PAGE;
  const { suggestions, total } = await listSuggestions(db, { limit: SUGGESTIONS_PER_PAGE, offset });
  const totalPages = Math.max(1, Math.ceil(total / SUGGESTIONS_PER_PAGE));
  if (page > totalPages) throw redirect(suggestionsAddress(totalPages));
  return { suggestions, page, totalPages, now: toIso(clock.now()) };
}

export const suggestionForms = pageForms(
  { path: suggestionsAddress(), access: requireAdmin, failed: PRODUCT_FAILED },
  { 'drop-suggestion': operationForm(followOperations.dropSuggestion, {}) },
);

/** A shop with a page of its watches. Throws 404 for an unknown one. */
export async function readShopPage(request: Request, { host = '' }: Params) {
  const { db, clock, keyring } = serverContext();
  const retailer = await orMissing(requireRetailer(db, host));
  const of = { retailerId: retailer.id };
  const page = pageNumberOf(request);
  const [{ offers, total }, all, canary, trust, webhooks] = await Promise.all([
    listOffers(db, { of, limit: OFFERS_PER_PAGE, offset: (page - 1) * OFFERS_PER_PAGE }),
    db
      .selectFrom('watches')
      .select(['slug', 'title'])
      .where('retailer_id', '=', retailer.id)
      .where('deleted_at', 'is', null)
      .orderBy('title')
      .limit(ALL_OFFERS)
      .execute(),
    findCanary(db, retailer),
    readSourceTrust(db, { ...of, now: clock.now() }),
    loadOptional(() => listRetailerWebhooks({ db, keyring }, retailer.id)),
  ]);
  const totalPages = Math.max(1, Math.ceil(total / OFFERS_PER_PAGE));
  if (page > totalPages) throw redirect(retailerAddress(host, totalPages));
  return {
    host,
    values: {
      name: retailer.name,
      supported: retailer.supported === 1,
      canary: canary?.slug ?? '',
      roleInstant: retailer.role_id_instant ?? '',
      roleFree: retailer.role_id_free ?? '',
    },
    webhooks,
    deletingWebhook: deletedAudience(request, webhooks),
    watches: all,
    offers,
    trust: trust.map((source) => ({ ...source, isDistrusted: isDistrusted(source) })),
    isHeld: canary?.isHeld ?? false,
    page,
    totalPages,
    now: toIso(clock.now()),
  };
}

/** The state of the image's fetch, as a sentence, or null. */
function imageNoteOf({
  image_url: url,
  image_pending: isPending,
  image_fault: fault,
}: Product): string | null {
  if (isPending === 1) return 'It is being fetched. Load this page again in some seconds.';
  if (fault !== null) return `${fault} Save the product to try again.`;
  return url === null ? 'None.' : null;
}

/** A product with its watches. Throws 404 for an unknown one. */
export async function readProductPage({ product: slug = '' }: Params) {
  const { db, clock } = serverContext();
  const product = await orMissing(requireProduct(db, slug));
  const { offers } = await listOffers(db, { of: { productId: product.id }, limit: ALL_OFFERS, offset: 0 });
  const { title, brand, gtin, released_on, list_price_amount: listPrice, image_url: imageUrl } = product;
  return {
    slug,
    title,
    values: {
      title,
      brand: brand ?? '',
      gtin: gtin ?? '',
      releasedOn: released_on ?? '',
      listPrice: listPrice === null ? '' : (listPrice / 100).toFixed(2),
      imageUrl: imageUrl ?? '',
    },
    image: storedImageOf(product),
    imageNote: imageNoteOf(product),
    offers,
    isRetired: product.retired_at !== null,
    now: toIso(clock.now()),
  };
}

export async function readCaseList() {
  return { cases: await listCases(serverContext().db) };
}

export const productForms = pageForms(
  {
    path: ({ params }) => productAddress(params.product ?? ''),
    access: requireAdmin,
    failed: PRODUCT_FAILED,
  },
  {
    'save-product': operationForm(productOperations.change, {
      schema: productChanges,
      // An empty field removes what was there.
      input: (
        { title, brand = null, gtin = null, releasedOn = null, listPrice = null, imageUrl = null },
        { params },
      ) => ({
        slug: params.product ?? '',
        title,
        brand,
        gtin,
        releasedOn,
        listPrice,
        imageUrl,
      }),
    }),
    'retire-product': operationForm(productOperations.retire, {
      schema: z.object({ retired: z.boolean().default(false) }),
      input: ({ retired }, { params }) => ({ slug: params.product ?? '', retired }),
    }),
    'delete-product': operationForm(productOperations.remove, {
      schema: noFields,
      input: (_, { params }) => ({ slug: params.product ?? '' }),
      outcome: () => ({ to: PRODUCTS_PATH }),
    }),
  },
);

export const shopForms = pageForms(
  {
    path: ({ params }) => retailerAddress(params.host ?? ''),
    access: requireAdmin,
    failed: { ...WATCH_FAILED, ...PRODUCT_FAILED },
  },
  {
    'save-shop': operationForm(productOperations.changeRetailer, {
      schema: retailerChanges,
      input: (
        { name, supported = false, canary = null, roleInstant = null, roleFree = null },
        { params },
      ) => ({ host: params.host ?? '', name, supported, canary, roleInstant, roleFree }),
    }),
    ...webhookForms(async ({ params }) => ({
      retailerId: (await requireRetailer(serverContext().db, params.host ?? '')).id,
    })),
  },
);

export const caseForms = pageForms(
  { path: CASES_PATH, access: requireAdmin, failed: PRODUCT_FAILED },
  { 'delete-case': operationForm(productOperations.removeCase, {}) },
);
