import type { Money } from '../../money';
import { DAY, fromIso, MINUTE } from '../../clock';
import type { Database } from '../../database/schema';
import { storedAnalysisSchema, type Availability } from '../../monitor/checks/verdict';
import { isRecent, readShownRuns, type Shown } from './shown-runs';

/** A choice within an offer. */
export interface OfferVariant {
  key: string;
  name: string;
  state: Availability;
  price: Money | null;
}

/** After so long without a check, no variant is shown. */
const SHOWN_FOR_MS = DAY;
/** A variant that was not listed for so long before the last check is gone. Page and platform JSON may list different ones. */
const LISTED_WITHIN_MS = 30 * MINUTE;

/** The names of a watch's variants by key, from the check of this time (ISO-8601) that listed them. */
async function readNames(db: Database, watchId: string, at: string): Promise<Map<string, string>> {
  const check = await db
    .selectFrom('monitor_checks')
    .select('content_analysis')
    .where('watch_id', '=', watchId)
    .where('check_timestamp', '=', at)
    .limit(1)
    .executeTakeFirst();
  const analysis =
    check === undefined ? undefined : storedAnalysisSchema.safeParse(JSON.parse(check.content_analysis));
  return new Map((analysis?.data?.product?.variants ?? []).map(({ key, name }) => [key, name]));
}

/** Reads the variants of offers that have any, by the watch's id, as `shown` allows. `now`: epoch ms. */
export async function readVariants(
  db: Database,
  { watchIds, shown, now }: { watchIds: readonly string[]; shown: Shown; now: number },
): Promise<Map<string, OfferVariant[]>> {
  const byWatch = new Map<string, OfferVariant[]>();
  const names = new Map<string, Map<string, string>>();
  const runs = await readShownRuns(db, { watchIds, shown, variants: true });
  const offers = new Map(runs.flatMap((run) => (run.variantKey === '' ? [[run.watchId, run]] : [])));
  for (const run of runs) {
    const { watchId, variantKey: key, lastSeenAt } = run;
    const seenAt = fromIso(lastSeenAt);
    if (key === '' || now - seenAt > SHOWN_FOR_MS) continue;
    const offer = offers.get(watchId) ?? run;
    if (fromIso(offer.lastSeenAt) - seenAt > LISTED_WITHIN_MS) continue;
    const check = `${watchId} ${lastSeenAt}`;
    const known = names.get(check) ?? (await readNames(db, watchId, lastSeenAt));
    names.set(check, known);
    // What is not known of the offer is not known of its variants.
    const state = isRecent(offer, now) ? run.availability : ('unknown' as const);
    const variant = { key, name: known.get(key) ?? key, state, price: run.price };
    byWatch.set(watchId, [...(byWatch.get(watchId) ?? []), variant]);
  }
  return byWatch;
}
