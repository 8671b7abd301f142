import { z } from 'zod';
import { DAY, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import {
  PRODUCT_SOURCES,
  storedAnalysisSchema,
  type ProductJudgement,
  type ProductSign,
  type ProductSource,
} from '../checks/verdict';

/** The newest changes of a shop's offers that are counted. */
const MAX_CHANGES = 200;
/** Older changes say little about the pages of today. */
const COUNTED_FOR_MS = 90 * DAY;
/** A source that was wrong in a larger share of changes cannot open an alert alone; fewer changes do not count. */
const MOST_WRONG = 0.2;
const LEAST_CHANGES = 5;

const trustSchema = z.object({
  source: z.enum(PRODUCT_SOURCES),
  agreed: z.number(),
  changes: z.number(),
});

/** How often a source said what followed, of the changes at which it said something. */
export type SourceTrust = z.infer<typeof trustSchema>;

/** Whether a source was wrong too often to open an alert alone. */
export function isDistrusted({ agreed, changes }: Pick<SourceTrust, 'agreed' | 'changes'>): boolean {
  return changes >= LEAST_CHANGES && changes - agreed > MOST_WRONG * changes;
}

/** The distrusted sources of a shop, as they are stored with it. */
export function readDistrusted(stored: string | null): SourceTrust[] {
  if (stored === null) return [];
  return trustSchema.array().safeParse(JSON.parse(stored)).data ?? [];
}

const SOURCE_NAMES: Record<ProductSource, string> = {
  platform: 'the platform’s JSON',
  button: 'the button',
  stock_line: 'the stock line',
  page_data: 'the page data',
  structured_data: 'the structured data',
  meta: 'the meta tags',
};

/** In stock and low stock agree. */
const classOf = (availability: string): string => (availability === 'limited' ? 'in_stock' : availability);

/** Whether a sign counts for the verdict. */
const counts = ({ weight, says, subject }: ProductSign): boolean =>
  weight > 0 && says !== 'nothing' && (subject === 'product' || subject === 'variant');

/**
 * Why a verdict opens no alert, as a sentence: all sources that say what it says are distrusted. Null when another source
 * says it, or no sign is known.
 */
export function distrustReason(
  { signs, availability }: Pick<ProductJudgement, 'signs' | 'availability'>,
  distrusted: readonly SourceTrust[],
): string | null {
  const says = signs.filter((sign) => counts(sign) && classOf(sign.says) === classOf(availability));
  const supporting = PRODUCT_SOURCES.filter((source) => says.some((sign) => sign.source === source));
  const wrong = supporting.flatMap((source) => distrusted.find((trust) => trust.source === source) ?? []);
  if (wrong.length === 0 || wrong.length < supporting.length) return null;
  const parts = wrong.map(
    ({ source, agreed, changes }) =>
      `${SOURCE_NAMES[source]} was wrong at ${changes - agreed} of ${changes} changes`,
  );
  return `Held back: at this shop ${parts.join(', ')}, and nothing else on the page says the same.`;
}

/** A source's statement about the watched product in one check: its heaviest sign; null without one. */
function saidBy(signs: readonly ProductSign[], source: ProductSource): string | null {
  const [heaviest] = signs
    .filter((sign) => sign.source === source && counts(sign))
    .toSorted((one, other) => other.weight - one.weight);
  return heaviest === undefined ? null : classOf(heaviest.says);
}

/**
 * How often each source of a shop's pages was right: at each change of an offer that a later check has confirmed, what it
 * said at the first check is compared with what followed. Counts the newest changes whose checks are still stored.
 */
export async function readSourceTrust(
  db: Database,
  { retailerId, now }: { retailerId: string; now: number },
): Promise<SourceTrust[]> {
  const changes = await db
    .selectFrom('offer_runs')
    .innerJoin('watches', 'watches.id', 'offer_runs.watch_id')
    .innerJoin('monitor_checks', 'monitor_checks.id', 'offer_runs.first_check_id')
    .select(['offer_runs.availability', 'monitor_checks.content_analysis'])
    .where('watches.retailer_id', '=', retailerId)
    .where('offer_runs.variant_key', '=', '')
    .where('offer_runs.last_seen_at', '>=', toIso(now - COUNTED_FOR_MS))
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

/** Reads how often each source of every shop was right, and stores which are distrusted. Returns how many shops changed. */
export async function learnSourceTrust(db: Database, now: number): Promise<number> {
  const retailers = await db.selectFrom('retailers').select(['id', 'distrusted_sources']).execute();
  let changed = 0;
  for (const { id, distrusted_sources: before } of retailers) {
    const distrusted = (await readSourceTrust(db, { retailerId: id, now })).filter(isDistrusted);
    const after = distrusted.length === 0 ? null : JSON.stringify(distrusted);
    if (after === before) continue;
    changed += 1;
    await inTransaction(db, (trx) =>
      trx.updateTable('retailers').set({ distrusted_sources: after }).where('id', '=', id).execute(),
    );
  }
  return changed;
}
