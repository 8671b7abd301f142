import { useEffect, useRef, useState, useId } from 'react';
import type { Restock } from '#shared/restock/describe-restock';
import { ButtonLink, buttonClass } from '~/components/ui/button';
import { OpenIcon } from '~/components/ui/icons';
import { ACTIONS, BANNER, COUNTDOWN } from './restock-content';
import { SECOND } from '#shared/clock';
import { Placeholder } from './placeholder';

/** Formats whole seconds as "05:00". */
function minutesAndSeconds(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`;
}

/** The whole seconds left of `total` since hydration, down to 0; by elapsed time, as hidden tabs throttle timers. */
function useSecondsLeft(total: number): number {
  const [left, setLeft] = useState(total);
  useEffect(() => {
    const endsAt = performance.now() + total * SECOND;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      clearTimeout(timer);
      const leftMs = Math.max(0, endsAt - performance.now());
      setLeft(Math.ceil(leftMs / SECOND));
      if (leftMs > 0) timer = setTimeout(tick, leftMs % SECOND || SECOND);
    };
    tick();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [total]);
  return left;
}

/**
 * A countdown as a number and a bar; `seconds`: what is left of it when the page is shown. `role="timer"` is not announced
 * each second.
 */
export function Countdown({ seconds, note }: { seconds: number; note: string }) {
  const left = useSecondsLeft(seconds);
  const id = useId();
  return (
    <div className="rounded-pocket border border-line bg-sunken px-4 py-3.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p id={id} className="font-semibold">
          {COUNTDOWN.label}
        </p>
        <p
          role="timer"
          aria-labelledby={id}
          className="font-display text-heading font-bold tracking-[-0.02em] tabular-nums"
        >
          {minutesAndSeconds(left)}
        </p>
      </div>
      <svg
        viewBox={`0 0 ${COUNTDOWN.seconds} 6`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="mt-2 block h-1.5 w-full overflow-hidden rounded-full"
      >
        <rect width={COUNTDOWN.seconds} height="6" className="fill-line" />
        <rect width={left} height="6" className="fill-brand" />
      </svg>
      <p className="mt-2.5 text-small text-soft">{note}</p>
    </div>
  );
}

/** The recipient and the source of the link, if it names them. */
export function Greeting({ username, source }: Pick<Restock, 'username' | 'source'>) {
  if (username === null && source === null) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-small text-soft [overflow-wrap:anywhere]">
      {username === null ? null : <span>Hello, {username}.</span>}
      {source === null ? null : <span>Shared via {source}.</span>}
    </p>
  );
}

/** A product's image, or a placeholder. Its `alt` is empty: the name is beside it, and a broken image shows its `alt`. */
function ProductImage({ address }: { address: string | null }) {
  const image = useRef<HTMLImageElement>(null);
  const [state, setState] = useState<'unknown' | 'loaded' | 'failed'>('unknown');

  // If the image loaded or failed before hydration, neither event fires.
  useEffect(() => {
    const { complete = false, naturalWidth = 0 } = image.current ?? {};
    setState(complete ? (naturalWidth > 0 ? 'loaded' : 'failed') : 'unknown');
  }, [address]);

  return (
    <div className="relative aspect-[4/3] overflow-hidden rounded-pocket border border-dashed border-line bg-sunken">
      {state === 'loaded' ? null : <Placeholder />}
      {address === null || state === 'failed' ? null : (
        <img
          ref={image}
          src={address}
          alt=""
          width={800}
          height={600}
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  );
}

/** The link to the shop, if it is a known one, else to the home page. */
function ContinueLink({ link }: { link: string | null }) {
  if (link === null) return <ButtonLink href={ACTIONS.home}>{ACTIONS.product}</ButtonLink>;
  return (
    <a href={link} rel="noopener noreferrer" className={buttonClass()}>
      {ACTIONS.product}
    </a>
  );
}

/** The product that is back in stock. */
export function ProductCard({ restock }: { restock: Restock }) {
  return (
    <div className="wrap pt-8 pb-12 lg:pt-12">
      <p className="flex items-start gap-2.5 rounded-pocket bg-open-wash px-4 py-3 font-[650] text-open">
        <span className="mt-0.5">
          <OpenIcon />
        </span>
        {BANNER}
      </p>
      <div className="mt-6 grid items-start gap-x-10 gap-y-6 md:grid-cols-2">
        <div className="binder">
          <ProductImage address={restock.image} />
        </div>
        <div className="grid min-w-0 gap-5">
          <div className="grid gap-2.5 [overflow-wrap:anywhere]">
            <Greeting username={restock.username} source={restock.source} />
            <h1 className="text-heading">{restock.name}</h1>
            <dl className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <dt className="sr-only">Price</dt>
              <dd className="font-display text-title font-bold tracking-[-0.02em]">{restock.price}</dd>
              <dt className="text-soft">at</dt>
              <dd className="font-semibold">{restock.retailer}</dd>
            </dl>
          </div>
          <Countdown seconds={COUNTDOWN.seconds} note={COUNTDOWN.note} />
          <p className="flex flex-wrap gap-3">
            <ButtonLink href={ACTIONS.premium.href} variant="primary">
              {ACTIONS.premium.name}
            </ButtonLink>
            <ContinueLink link={restock.link} />
          </p>
        </div>
      </div>
    </div>
  );
}
