import { Fragment } from 'react';
import { clockAndDay, elapsed } from '~/components/time/time-format';
import type { Offer } from '#shared/products/offer';
import type { OfferVariant } from '#shared/products/reading/variants';
import { priceWords } from './product-words';
import { ProductPill } from './state-pill';

/** Further variants are behind a disclosure. */
const SHOWN_VARIANTS = 3;

/** The variants at one retailer. */
function Variants({ variants, retailer }: { variants: readonly OfferVariant[]; retailer: string }) {
  const rows = (some: readonly OfferVariant[]) => (
    <ul aria-label={`Variants at ${retailer}`} className="grid gap-1">
      {some.map(({ key, name, state, price }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-small wrap-anywhere">
          <ProductPill state={state} detail={null} />
          <span>{name}</span>
          <span className="text-soft">{price === null ? '' : priceWords(price)}</span>
        </li>
      ))}
    </ul>
  );
  const more = variants.slice(SHOWN_VARIANTS);
  return (
    <div className="grid gap-1">
      {rows(variants.slice(0, SHOWN_VARIANTS))}
      {more.length === 0 ? null : (
        <details>
          <summary className="min-h-8 w-fit cursor-pointer py-1 text-small font-semibold text-brand">
            {more.length === 1 ? '1 more variant' : `${more.length} more variants`}
          </summary>
          {rows(more)}
        </details>
      )}
    </div>
  );
}

/** All retailers of a product, those with stock first. */
export function OfferTable({
  offers,
  variants,
  nowMs,
}: {
  offers: readonly Offer[];
  /** By the slug of the offer's watch. */
  variants: Readonly<Record<string, OfferVariant[]>>;
  nowMs: number;
}) {
  if (offers.length === 0) return null;
  const cell = 'px-3 py-3 align-top sm:px-5';
  return (
    <section aria-labelledby="retailers-title" className="wrap py-8">
      <h2 id="retailers-title" className="text-title">
        {offers.length === 1 ? 'The retailer' : 'All retailers'}
      </h2>
      <div className="mt-3 overflow-hidden rounded-card border border-line bg-surface">
        <table className="w-full table-fixed border-collapse text-left max-sm:text-small">
          <caption className="sr-only">Where this product is sold, its state and its price</caption>
          <thead>
            <tr className="bg-sunken text-small">
              <th scope="col" className={`${cell} w-[36%] font-semibold`}>
                Retailer
              </th>
              <th scope="col" className={`${cell} font-semibold`}>
                State
              </th>
              <th scope="col" className={`${cell} w-[24%] text-right font-semibold`}>
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {offers.map(
              ({ watch, retailer, url, state, detail, price, since, lastCheck, discontinuedAt }) => (
                <Fragment key={watch}>
                  <tr className="border-t border-line">
                    <th scope="row" className={`${cell} font-normal wrap-anywhere`}>
                      <a
                        href={url}
                        rel="noopener noreferrer nofollow"
                        className="font-semibold text-brand underline underline-offset-4 hover:no-underline"
                      >
                        {retailer.name}
                      </a>
                      {lastCheck === null ? null : (
                        <span className="block text-small text-soft">
                          checked {elapsed(lastCheck, nowMs)} ago
                        </span>
                      )}
                    </th>
                    <td className={cell}>
                      <ProductPill
                        state={state}
                        detail={detail}
                        isChecked={lastCheck !== null}
                        isGone={discontinuedAt !== null}
                      />
                      {since === null ? null : (
                        <span className="mt-1 block text-small text-soft">
                          since <time dateTime={since}>{clockAndDay(since, nowMs)}</time>
                        </span>
                      )}
                    </td>
                    <td className={`${cell} text-right font-semibold`}>
                      {priceWords(price, lastCheck !== null)}
                    </td>
                  </tr>
                  {variants[watch] === undefined ? null : (
                    <tr>
                      <td colSpan={3} className="px-3 pb-3 sm:px-5">
                        <Variants variants={variants[watch]} retailer={retailer.name} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}
