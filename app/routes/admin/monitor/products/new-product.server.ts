import { describePreview } from '#shared/monitor/products/describe-preview';
import { productOperations } from '#shared/monitor/products/product-operations';
import { listProductNames } from '#shared/monitor/products/products';
import { watchOperations } from '#shared/monitor/watches/watch-operations';
import { newWatchFields, watchFields } from '#shared/monitor/watches/watch-fields';
import { NEW_PRODUCT_PATH, previewAddress, watchAddress } from '~/components/monitor/monitor-addresses';
import { PRODUCT_FAILED } from '~/components/monitor/watch-texts';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

/** The preview of `?preview=` or the address of `?url=`, and the products that a watch may be added to. */
export async function readPreviewPage(request: Request) {
  const { db, clock } = serverContext();
  const { searchParams } = new URL(request.url);
  const id = searchParams.get('preview');
  const preview = id === null ? null : await describePreview(db, id, clock.now());
  const products = preview === null ? [] : await listProductNames(db);
  const url = preview?.url ?? searchParams.get('url') ?? '';
  return { preview, url, products, isExpired: id !== null && preview === null };
}

const { shape } = newWatchFields;

/** The fields of the form that confirms a new watch. conform leaves empty ones out. */
const confirmFields = newWatchFields
  .pick({
    shop: true,
    title: true,
    productSlug: true,
    brand: true,
    gtin: true,
    imageUrl: true,
    variantKey: true,
    fetchAs: true,
    robotsPermission: true,
    paidFetch: true,
  })
  .extend({ url: shape.url, intervalSeconds: watchFields.shape.intervalSeconds });

export const newProductForms = pageForms(
  { path: NEW_PRODUCT_PATH, access: requireAdmin, failed: PRODUCT_FAILED },
  {
    preview: operationForm(productOperations.preview, {
      outcome: ({ id }) => ({ to: previewAddress(id), message: '' }),
    }),
    add: operationForm(watchOperations.add, {
      schema: confirmFields,
      input: (fields) => ({ kind: 'product' as const, timeZone: 'Europe/London', ...fields }),
      outcome: ({ slug }) => ({ to: watchAddress(slug) }),
    }),
  },
);
