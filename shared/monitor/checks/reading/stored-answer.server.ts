import type { Database } from '../../../database/schema';
import { findBody } from '../stored-body.server';
import { storedAnalysisSchema, type ExpectedProduct, type PageAnswer } from '../verdict';

/** A response as a check stored it. */
export interface StoredAnswer {
  answer: PageAnswer;
  errorMessage: string | null;
  /** The watch's product data; missing for a waiting room. */
  product?: ExpectedProduct;
}

/**
 * Reads the stored response of a check, to judge it again. Null when it is no longer stored. Only the first 100 KB of a
 * page are stored; a longer one may get another verdict for that reason.
 */
export async function readStoredAnswer(db: Database, checkId: string): Promise<StoredAnswer | null> {
  const row = await db
    .selectFrom('monitor_checks')
    .innerJoin('watches', 'watches.id', 'monitor_checks.watch_id')
    .leftJoin('products', 'products.id', 'watches.product_id')
    .select([
      'monitor_checks.target_url',
      'monitor_checks.final_url',
      'monitor_checks.http_status_code',
      'monitor_checks.error_message',
      'monitor_checks.raw_response_length',
      'monitor_checks.response_headers',
      'monitor_checks.content_analysis',
      'watches.variant_key',
      'products.title',
      'products.gtin',
    ])
    .where('monitor_checks.id', '=', checkId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const body = row.raw_response_length === 0 ? '' : await findBody(db, checkId);
  if (body === null) return null;
  const {
    redirects = [],
    doubted = false,
    unverified = doubted,
  } = storedAnalysisSchema.safeParse(JSON.parse(row.content_analysis)).data ?? {};
  return {
    answer: {
      requestUrl: row.target_url,
      finalUrl: row.final_url ?? row.target_url,
      status: row.http_status_code ?? 0,
      headers: JSON.parse(row.response_headers) as Record<string, string | string[]>,
      body,
      decodable: true,
      hops: redirects.map((url) => ({ url, status: 302, location: null, headers: {} })),
      unverified,
    },
    errorMessage: row.error_message,
    ...(row.title === null
      ? {}
      : { product: { title: row.title, gtin: row.gtin, variantKey: row.variant_key } }),
  };
}
