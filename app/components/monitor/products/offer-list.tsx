import { Link } from '@remix-run/react';
import type { ListedOffer } from '#shared/monitor/products/list-shops';
import { counted } from '#shared/format';
import { clockAndDay } from '~/components/time/time-format';
import { Badge } from '~/components/ui/badge';
import { productAddress, watchAddress } from '../monitor-addresses';
import { StatePill } from '../state-pill';
import { availabilityText, AVAILABILITY_STATES, lastPriceText } from './product-words';

/** A link inside a text of the admin's pages. */
const TEXT_LINK = 'text-brand underline underline-offset-4 hover:no-underline';

/** The state of an offer; "Stopped" while it is not checked. */
function OfferPill({ offer: { running, seen } }: { offer: Pick<ListedOffer, 'running' | 'seen'> }) {
  if (seen === null)
    return (
      <StatePill state={running ? 'unknown' : 'paused'} label={running ? 'Not checked yet' : 'Stopped'} />
    );
  return <StatePill state={AVAILABILITY_STATES[seen.availability]} label={availabilityText(seen)} />;
}

/** Watches of products with what their last checks saw. `now`: the server's time (ISO-8601). */
export function OfferList({ offers, now }: { offers: readonly ListedOffer[]; now: string }) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface shadow-card">
      {offers.map((offer) => {
        const { slug, title, product, running, lastCheck, price, contradictions, discontinuedAt } = offer;
        return (
          <li
            key={slug}
            className="grid gap-x-5 gap-y-2 p-4 sm:grid-cols-[13rem_minmax(0,1fr)_auto] sm:items-center sm:px-5"
          >
            <div>
              <OfferPill offer={offer} />
            </div>
            <div className="min-w-0">
              <h2 className="text-lead wrap-anywhere">
                <Link to={watchAddress(slug)} className="underline underline-offset-4 hover:text-brand">
                  {title}
                </Link>
              </h2>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-soft">
                <span>
                  {lastCheck === null ? (
                    'Not checked yet'
                  ) : (
                    <>
                      Checked <time dateTime={lastCheck}>{clockAndDay(lastCheck, Date.parse(now))}</time>
                    </>
                  )}
                </span>
                {running ? null : <span>Stopped</span>}
                {discontinuedAt === null ? null : (
                  <Badge variant="warning">
                    <time dateTime={discontinuedAt}>
                      {`No longer sold since ${clockAndDay(discontinuedAt, Date.parse(now))}`}
                    </time>
                  </Badge>
                )}
                <Link to={productAddress(product)} className={TEXT_LINK}>
                  Product
                </Link>
                {contradictions === 0 ? null : (
                  <Badge variant="warning">{counted(contradictions, 'contradiction')}</Badge>
                )}
              </p>
            </div>
            <p className="font-display font-bold sm:text-right">{lastPriceText(price)}</p>
          </li>
        );
      })}
    </ul>
  );
}
