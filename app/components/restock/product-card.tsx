import { useEffect, useRef, useState } from 'react';
import type { Restock } from '#shared/restock/describe-restock';
import { ButtonLink, buttonClass } from '~/components/ui/button';
import { OpenIcon } from '~/components/ui/icons';
import { Countdown, Greeting } from './greeting';
import { ACTIONS, BANNER, COUNTDOWN } from './restock-content';
import { Placeholder } from './placeholder';

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
