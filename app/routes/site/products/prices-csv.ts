import type { LoaderFunctionArgs } from '@remix-run/node';
import { hasHeadStart } from '#shared/accounts/profile';
import { withoutFormula } from '#shared/csv';
import { toMainUnit } from '#shared/money';
import { MAX_FILE_RUNS, readRuns } from '#shared/products/reading/price-history';
import { findProductId, readProducts } from '#shared/products/reading/products';
import { readShown } from '#shared/products/reading/shown-runs';
import { requireMember } from '~/http/auth/session.server';
import { serverContext } from '~/http/server/context.server';
import { textResponse, withTextFailures } from '~/http/server/failures.server';
import { NO_DOCUMENT_POLICY } from '~/http/server/security-headers.server';

const COLUMNS = ['from', 'to', 'retailer', 'variant', 'state', 'detail', 'price', 'currency'];

/** A field, quoted if it must be (RFC 4180). */
const field = (value: string | number | null): string => {
  const text = typeof value === 'string' ? withoutFormula(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The whole price history of a product as a file, for members with Pro: the newest ten thousand runs, oldest first. */
export function loader({ request, params }: LoaderFunctionArgs) {
  return withTextFailures(async () => {
    const viewer = await requireMember(request);
    if (!hasHeadStart(viewer)) return textResponse('The whole price history is for members with Pro.', 403);
    const { db, clock } = serverContext();
    const now = clock.now();
    const found = await findProductId(db, params.productId ?? '');
    if (found === null) return textResponse('There is no such product.', 404);
    const shown = await readShown(db, { now, audience: 'instant' });
    const [product] = await readProducts(db, { now, shown, id: found.id });
    const nameOf = new Map(product?.offers.map(({ watchId, retailer }) => [watchId, retailer.name]));
    const runs = await readRuns(db, {
      watchIds: [...nameOf.keys()],
      shown,
      now,
      days: null,
      variants: true,
      limit: MAX_FILE_RUNS,
    });
    const rows = runs.map(({ from, to, watchId, variantKey, state, detail, price }) => [
      from,
      to,
      nameOf.get(watchId) ?? '',
      variantKey,
      state,
      detail,
      price === null ? null : toMainUnit(price).amount,
      price?.currency ?? null,
    ]);
    const lines = [COLUMNS, ...rows].map((row) => `${row.map(field).join(',')}\r\n`);
    return new Response(lines.join(''), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${found.slug}-prices.csv"`,
        'Content-Security-Policy': NO_DOCUMENT_POLICY,
        'Cache-Control': 'private, no-store',
      },
    });
  });
}
