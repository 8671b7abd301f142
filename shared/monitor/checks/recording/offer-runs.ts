import type { Selectable } from 'kysely';
import type { Money } from '../../../money';
import { toIso } from '../../../clock';
import { prepareQuery } from '../../../database/prepare-query';
import type { Transaction } from '../../../database/schema';
import type { OfferRunsTable } from '../../../database/tables/monitor/products';
import { newOrderedId } from '../../../ids';
import type { Watch } from '../../watches/watches';
import type { ProductJudgement } from '../verdict';

type Run = Selectable<OfferRunsTable>;
type Values = Pick<Run, 'variant_key' | 'availability' | 'detail' | 'price_amount' | 'price_currency'>;

/** Pages with more variants are cut. */
const MAX_VARIANTS = 200;

const selectLatest = prepareQuery((db, { watchId }: { watchId: string }) =>
  db
    .selectFrom('offer_runs')
    .select(['id', 'variant_key', 'availability', 'detail', 'price_amount', 'price_currency'])
    .where('watch_id', '=', watchId)
    // Written exactly as in the partial index.
    .where((where) => where('is_latest', '=', where.lit(1))),
);

const priceOf = (price: Money | null) => ({
  price_amount: price?.amount ?? null,
  price_currency: price?.currency ?? null,
});

/** The values of a conclusive check: of the whole offer and, if it has variants, of the watched one or else of each. */
function valuesOf(watch: Watch, product: ProductJudgement, price: Money | null): Values[] {
  const values: Values[] = [];
  const { availability, detail, variants, watchedVariant } = product;
  if (availability !== 'unknown') values.push({ variant_key: '', availability, detail, ...priceOf(price) });
  if ((watchedVariant === null && watch.variant_key !== null) || variants.length < 2) return values;
  const seen = new Set(['']);
  for (const variant of variants.slice(0, MAX_VARIANTS)) {
    if (variant.availability === 'unknown' || seen.has(variant.key)) continue;
    if (watchedVariant !== null && variant.key !== watchedVariant) continue;
    seen.add(variant.key);
    values.push({
      variant_key: variant.key,
      availability: variant.availability,
      detail: null,
      ...priceOf(variant.price),
    });
  }
  return values;
}

/**
 * Lengthens the runs of an offer and its variants that a check has seen again, and begins a run for what has changed, in the
 * transaction that records the check. `price`: the offer's price, once it is believed. An unknown availability changes
 * nothing.
 */
export async function recordRuns(
  trx: Transaction,
  {
    watch,
    product,
    isDiscontinued,
    price,
    checkId,
    now,
  }: {
    watch: Watch;
    product: ProductJudgement;
    /** The shop no longer sells it: it is out of stock, and has no variants. */
    isDiscontinued: boolean;
    price: Money | null;
    checkId: string;
    now: number;
  },
): Promise<void> {
  const seen = isDiscontinued
    ? [{ variant_key: '', availability: 'out_of_stock' as const, detail: null, ...priceOf(price) }]
    : valuesOf(watch, product, price);
  if (seen.length === 0) return;
  const stamp = toIso(now);
  const latest = new Map(
    (await selectLatest(trx, { watchId: watch.id })).map((run) => [run.variant_key, run]),
  );
  const lengthened: string[] = [];
  const ended = isDiscontinued
    ? [...latest.values()].flatMap(({ id, variant_key }) => (variant_key === '' ? [] : [id]))
    : [];
  const begun: Run[] = [];
  for (const values of seen) {
    const run = latest.get(values.variant_key);
    if (
      run?.availability === values.availability &&
      run.detail === values.detail &&
      run.price_amount === values.price_amount &&
      run.price_currency === values.price_currency
    ) {
      lengthened.push(run.id);
      continue;
    }
    if (run !== undefined) ended.push(run.id);
    begun.push({
      ...values,
      id: newOrderedId(now),
      watch_id: watch.id,
      strength: product.strength ?? 'weak',
      first_seen_at: stamp,
      last_seen_at: stamp,
      first_check_id: checkId,
      is_latest: 1,
    });
  }
  if (lengthened.length > 0)
    await trx.updateTable('offer_runs').set({ last_seen_at: stamp }).where('id', 'in', lengthened).execute();
  if (ended.length > 0)
    await trx.updateTable('offer_runs').set({ is_latest: 0 }).where('id', 'in', ended).execute();
  if (begun.length > 0) await trx.insertInto('offer_runs').values(begun).execute();
}
