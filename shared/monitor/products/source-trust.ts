import type { Database } from '../../database/schema';
import {
  PRODUCT_SOURCES,
  storedAnalysisSchema,
  type ProductSign,
  type ProductSource,
} from '../checks/verdict';

/** The newest changes of a shop's offers that are counted. */
const MAX_CHANGES = 200;

/** How often a source said what followed, of the changes at which it said something. */
export interface SourceTrust {
  source: ProductSource;
  agreed: number;
  changes: number;
}

/** In stock and low stock agree. */
const classOf = (availability: string): string => (availability === 'limited' ? 'in_stock' : availability);

/** What a source says of the watched product at one check: its heaviest sign; null when it says nothing. */
function saidBy(signs: readonly ProductSign[], source: ProductSource): string | null {
  const [heaviest] = signs
    .filter(
      (sign) =>
        sign.source === source &&
        sign.weight > 0 &&
        sign.says !== 'nothing' &&
        (sign.subject === 'product' || sign.subject === 'variant'),
    )
    .toSorted((one, other) => other.weight - one.weight);
  return heaviest === undefined ? null : classOf(heaviest.says);
}

/**
 * How often each source of a shop's pages was right: at each change of an offer that a later check has confirmed, what it
 * said at the first check is compared with what followed. Counts the newest changes whose checks are still stored.
 */
export async function readSourceTrust(
  db: Database,
  { retailerId }: { retailerId: string },
): Promise<SourceTrust[]> {
  const changes = await db
    .selectFrom('offer_runs')
    .innerJoin('watches', 'watches.id', 'offer_runs.watch_id')
    .innerJoin('monitor_checks', 'monitor_checks.id', 'offer_runs.first_check_id')
    .select(['offer_runs.availability', 'monitor_checks.content_analysis'])
    .where('watches.retailer_id', '=', retailerId)
    .where('offer_runs.variant_key', '=', '')
    .whereRef('offer_runs.last_seen_at', '>', 'offer_runs.first_seen_at')
    .orderBy('offer_runs.first_seen_at', 'desc')
    .limit(MAX_CHANGES)
    .execute();
  const counts = new Map<ProductSource, { agreed: number; changes: number }>();
  for (const { availability, content_analysis } of changes) {
    const signs = storedAnalysisSchema.safeParse(JSON.parse(content_analysis)).data?.product?.signs ?? [];
    for (const source of PRODUCT_SOURCES) {
      const said = saidBy(signs, source);
      if (said === null) continue;
      const count = counts.get(source) ?? { agreed: 0, changes: 0 };
      count.changes += 1;
      if (said === classOf(availability)) count.agreed += 1;
      counts.set(source, count);
    }
  }
  return PRODUCT_SOURCES.flatMap((source) => {
    const count = counts.get(source);
    return count === undefined ? [] : [{ source, ...count }];
  });
}
