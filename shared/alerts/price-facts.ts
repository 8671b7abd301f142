import type { Selectable } from 'kysely';
import { DAY, fromIso, toIso } from '../clock';
import type { Database } from '../database/schema';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import type { MessageFacts } from './describe-offer';

/** The price history that everybody sees of an offer in a message. */
const LOWEST_WITHIN_DAYS = 90;

/** Reads what an offer cost before `alert`, and the lowest price since we have looked, at most 90 days before `now` (epoch ms). */
export async function readPriceFacts(
  db: Database,
  { alert, now }: { alert: Selectable<AlertsTable>; now: number },
): Promise<Pick<MessageFacts, 'previousPrice' | 'lowest'>> {
  const { watch_id: watchId, price_amount: amount, price_currency: currency } = alert;
  if (amount === null || currency === null) return { previousPrice: null, lowest: null };
  const runs = db
    .selectFrom('offer_runs')
    .where('watch_id', '=', watchId)
    .where('variant_key', '=', '')
    .where('price_currency', '=', currency);
  const previous = await runs
    .select('price_amount')
    .where('price_amount', '<>', amount)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { lowest, first } = await runs
    .select((run) => [run.fn.min('price_amount').as('lowest'), run.fn.min('first_seen_at').as('first')])
    .where('last_seen_at', '>=', toIso(now - LOWEST_WITHIN_DAYS * DAY))
    .executeTakeFirstOrThrow();
  const days = first === null ? 0 : Math.min(LOWEST_WITHIN_DAYS, Math.floor((now - fromIso(first)) / DAY));
  return {
    previousPrice:
      previous === undefined || previous.price_amount === null
        ? null
        : { amount: previous.price_amount, currency },
    // Without a whole day of history the word "lowest" says nothing.
    lowest: lowest === null || days < 1 ? null : { amount: lowest, days },
  };
}
