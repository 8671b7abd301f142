import type { ReactNode } from 'react';
import { dateAndSecond, clockAndDay, secondAndDay } from '~/components/time/time-format';
import { Countdown, Greeting } from '~/components/restock/greeting';
import { ACTIONS, BANNER, COUNTDOWN } from '~/components/restock/restock-content';
import { ButtonLink, buttonClass, Link } from '~/components/ui/button';
import { SECOND } from '#shared/clock';
import type { Restock } from '#shared/products/reading/restocks';
import type { ListedProduct } from '#shared/products/offer';
import {
  durationWords,
  followPath,
  GONE_WORDS,
  priceWords,
  retailerWords,
  stateWords,
} from './product-words';
import { ProductImage } from './product-image';
import { ProductPill, STATE_STYLES } from './state-pill';

/** An alert with the name of its retailer. */
export type NamedRestock = Restock & { retailer: string };

/** The data of the head of a product's page. */
export interface ProductHeadProps {
  product: Omit<ListedProduct, 'id'>;
  /** The text instead of the state; null for a product that we watch. */
  notice: string | null;
  /** The open alert; null for none. */
  alert: NamedRestock | null;
  /** The last restock that ended, else pre-order. */
  last: NamedRestock | null;
  /** The retailers at which stock comes and goes. */
  tricklingAt: readonly string[];
  usualSeconds: number | null;
  lowestForDays: number | null;
  /** Of the link: who it is for and where it was shared. */
  greeting: { username: string | null; source: string | null };
  isPro: boolean;
  /** Whether the reader follows the product. */
  isFollowed: boolean;
  nowMs: number;
}

/** The state, and whether stock comes and goes. */
function headline(props: ProductHeadProps): string {
  const { tricklingAt } = props;
  const state = stateSentence(props);
  if (tricklingAt.length === 0) return state;
  return `${state} Stock comes and goes at ${retailerWords(tricklingAt)}: single units are added and sold.`;
}

function stateSentence({ product, alert }: ProductHeadProps): string {
  const { state, offers } = product;
  // An alert is still open while a first check no longer sees the stock.
  if (alert?.kind === 'restock' && (state === 'in_stock' || state === 'limited')) return BANNER;
  const names = offers
    .filter((offer) => stateWords(offer.state) === stateWords(state))
    .map(({ retailer }) => retailer.name);
  const at = retailerWords([...new Set(names)]);
  if (offers.length === 0) return 'No retailers are watched for this product.';
  if (product.isGone) return `${GONE_WORDS} at ${at}.`;
  if (!product.isChecked) return 'Not checked yet. The result of the first check will appear here.';
  switch (state) {
    case 'in_stock':
    case 'limited':
      return `${stateWords(state)} at ${at}.`;
    case 'preorder':
      return `It can be pre-ordered at ${at}.`;
    case 'out_of_stock':
      return offers.length === 1
        ? `Out of stock at ${at}.`
        : 'Out of stock at every retailer that we could read.';
    case 'unknown':
      return 'We cannot say right now: no page of a retailer could be read in the last half hour.';
  }
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line py-2">
      <dt className="text-soft">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

/** Facts about earlier restocks, from our alerts. */
function Facts({ product, alert, last, usualSeconds, lowestForDays, nowMs }: ProductHeadProps) {
  const { since } = product;
  const headStart = (alert ?? last)?.headStartSeconds ?? null;
  return (
    <dl className="text-small sm:text-[1rem]">
      {since === null ? null : (
        <Fact name={product.isGone ? GONE_WORDS : stateWords(product.state)}>
          since{' '}
          <time dateTime={since} title={dateAndSecond(since)}>
            {secondAndDay(since, nowMs)}
          </time>
        </Fact>
      )}
      {last === null ? null : (
        <Fact name={last.kind === 'preorder' ? 'Last pre-order' : 'Last restock'}>
          <time dateTime={last.openedAt}>{clockAndDay(last.openedAt, nowMs)}</time>
          {last.lastedSeconds === null ? '' : `, for ${durationWords(last.lastedSeconds)}`}
          {last.inStockAt === null ? '' : ', until it came in stock'}
        </Fact>
      )}
      {usualSeconds === null ? null : <Fact name="Usually gone in">{durationWords(usualSeconds)}</Fact>}
      {headStart === null ? null : (
        <Fact name="Pro members knew earlier by">{headStart.toFixed(1)} seconds</Fact>
      )}
      {lowestForDays === null ? null : (
        <Fact name="Price">lowest in {lowestForDays === 1 ? '1 day' : `${lowestForDays} days`}</Fact>
      )}
    </dl>
  );
}

/** The seconds left of the five minutes after an alert opened; 0 when they are over, or while stock comes and goes. */
function secondsLeft(alert: NamedRestock | null, nowMs: number): number {
  if (alert === null || alert.isTrickling) return 0;
  const passed = Math.floor((nowMs - Date.parse(alert.openedAt)) / SECOND);
  return Math.min(COUNTDOWN.seconds, Math.max(0, COUNTDOWN.seconds - passed));
}

/** The product, its state and where to buy it. */
export function ProductHead(props: ProductHeadProps) {
  const { product, alert, greeting, isPro, isFollowed, nowMs } = props;
  const { slug, state, detail, isChecked, isGone, title, brand, gtin, image, price, offers } = product;
  const { className, icon } = STATE_STYLES[state];
  const [best] = offers;
  const left = secondsLeft(alert, nowMs);
  const canBuy = state === 'in_stock' || state === 'limited' || state === 'preorder';
  return (
    <div className="wrap pt-8 pb-10 lg:pt-12">
      <p
        data-product-state={state}
        className={`flex items-start gap-2.5 rounded-pocket px-4 py-3 font-[650] ${className}`}
      >
        <span className="mt-0.5">{icon}</span>
        {props.notice ?? headline(props)}
      </p>
      <div className="mt-6 grid items-start gap-x-10 gap-y-6 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className={`binder ${image === null ? 'max-md:hidden' : ''}`}>
          <ProductImage
            image={image}
            alt={title}
            sizes="(min-width: 48rem) 26rem, 15rem"
            className="aspect-[4/3] max-md:mx-auto max-md:h-44"
            isFirst
          />
        </div>
        <div className="grid min-w-0 gap-5">
          <div className="grid gap-2.5 wrap-anywhere">
            <Greeting {...greeting} />
            <h1 className="text-heading">{title}</h1>
            {brand === null && gtin === null ? null : (
              <p className="text-small text-soft">
                {[brand, gtin === null ? null : `GTIN ${gtin}`].filter((part) => part !== null).join(' · ')}
              </p>
            )}
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <span className="font-display text-heading font-bold tracking-[-0.02em]">
                {priceWords(price, isChecked)}
              </span>
              {best === undefined ? null : <span className="text-soft">at {best.retailer.name}</span>}
              <ProductPill state={state} detail={detail} isChecked={isChecked} isGone={isGone} />
            </p>
          </div>
          {left > 0 && canBuy ? <Countdown seconds={left} note={COUNTDOWN.alertNote} /> : null}
          <p className="flex flex-wrap gap-3">
            {best === undefined ? null : (
              <a
                href={best.url}
                rel="noopener noreferrer nofollow"
                className={`whitespace-normal! ${buttonClass(canBuy ? 'primary' : 'plain')}`}
              >
                Go to {best.retailer.name}
              </a>
            )}
            {product.retiredAt === null && !isFollowed ? (
              <ButtonLink href={followPath(slug)}>{ACTIONS.follow}</ButtonLink>
            ) : null}
            {isPro ? null : (
              <ButtonLink href={ACTIONS.premium.href} variant={canBuy ? 'plain' : 'primary'}>
                {ACTIONS.premium.name}
              </ButtonLink>
            )}
          </p>
          {isFollowed ? (
            <p>
              {ACTIONS.followed}{' '}
              <Link to={followPath(slug)} className="text-brand underline underline-offset-4">
                {product.retiredAt === null ? ACTIONS.changeFollow : ACTIONS.endFollow}
              </Link>
            </p>
          ) : null}
          <Facts {...props} />
        </div>
      </div>
    </div>
  );
}
