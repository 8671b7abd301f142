import type { OpeningTimes } from '#shared/status/opening-times';
import { ACTIONS } from '~/components/restock/restock-content';
import { OpeningTimesSection } from '~/components/status/opening-times';
import { Link } from '~/components/ui/button';
import type { PriceChart } from './chart-model';
import { PriceHistoryFigure, VariantPriceTable, type VariantPrices } from './price-history';
import { productPath } from './product-words';

const HISTORY = {
  title: 'Price history',
  basic: (retailer: string) => `The last 30 days at ${retailer}`,
  all: 'All retailers, since we started watching',
  premium:
    'With Premium: every retailer since we started watching, all variants, the hours at which it comes back, and a file for your spreadsheet.',
  file: 'Download as a file (CSV)',
} as const;

/** The words of the hours at which a product came back. */
const RESTOCK_TIMES = {
  title: 'When to be awake',
  none: 'No restock in the last 12 weeks.',
  caption: (title: string, zone: string) =>
    `When ${title} came back, by weekday and hour, last 12 weeks, ${zone}`,
} as const;

/** The additional data for members with Pro. */
export interface AdvancedHistory {
  /** Null: it would be the same as that of the last 30 days. */
  chart: PriceChart | null;
  openings: OpeningTimes;
  variants: VariantPrices[];
}

interface PriceSectionProps {
  product: { slug: string; title: string };
  /** The retailer whose last 30 days everybody sees; null: there is none. */
  retailer: string | null;
  history: PriceChart | null;
  advanced: AdvancedHistory | null;
}

const LINK = 'font-semibold text-brand underline underline-offset-4 hover:no-underline';

/** The price history: 30 days for everybody, all of it for members with Pro. */
export function PriceSection({ product, retailer, history, advanced }: PriceSectionProps) {
  return (
    <div className="wrap grid gap-8 py-8">
      <section aria-labelledby="prices-title" className="grid gap-4">
        <h2 id="prices-title" className="text-title">
          {HISTORY.title}
        </h2>
        <div className="grid gap-8 rounded-card border border-line bg-surface p-4 shadow-card sm:p-6">
          {history === null || retailer === null ? (
            <p className="text-soft">No prices were seen in the last 30 days.</p>
          ) : (
            <div className="grid gap-3">
              <h3 className="text-lead leading-tight wrap-anywhere">{HISTORY.basic(retailer)}</h3>
              <PriceHistoryFigure chart={history} name={HISTORY.basic(retailer)} />
            </div>
          )}
          {advanced === null ? (
            <p className="border-t border-line pt-4 text-small text-soft">
              {HISTORY.premium}{' '}
              <Link to={ACTIONS.premium.href} className={LINK}>
                {ACTIONS.premium.name}
              </Link>
            </p>
          ) : (
            <>
              {advanced.chart === null ? null : (
                <div className="grid gap-3 border-t border-line pt-6">
                  <h3 className="text-lead leading-tight">{HISTORY.all}</h3>
                  <PriceHistoryFigure chart={advanced.chart} name={HISTORY.all} />
                </div>
              )}
              <VariantPriceTable rows={advanced.variants} />
              <p>
                <a href={`${productPath(product.slug)}/prices.csv`} download className={LINK}>
                  {HISTORY.file}
                </a>
              </p>
            </>
          )}
        </div>
      </section>
      {advanced === null ? null : (
        <OpeningTimesSection
          openings={advanced.openings}
          words={{ ...RESTOCK_TIMES, subject: product.title }}
        />
      )}
    </div>
  );
}
