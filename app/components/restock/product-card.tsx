import type { Restock } from '#shared/restock/describe-restock';
import { ButtonLink } from '~/components/ui/button-link';
import { buttonClass } from '~/components/ui/button-look';
import { OpenIcon } from '~/components/ui/icons';
import { Countdown } from './countdown';
import { Greeting } from './greeting';
import { ProductPicture } from './product-picture';
import { ACTIONS, BANNER } from './restock-content';

/** On to the shop, where we know it ourselves; else home. */
function ContinueLink({ link }: { link: string | null }) {
  if (link === null) return <ButtonLink href={ACTIONS.home}>{ACTIONS.product}</ButtonLink>;
  return (
    <a href={link} rel="noopener noreferrer" className={buttonClass()}>
      {ACTIONS.product}
    </a>
  );
}

/** What is back, and the two ways on. */
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
          <ProductPicture address={restock.image} />
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
          <Countdown />
          <p className="flex flex-wrap gap-3">
            <ButtonLink href={ACTIONS.premium.href} look="primary">
              {ACTIONS.premium.name}
            </ButtonLink>
            <ContinueLink link={restock.link} />
          </p>
        </div>
      </div>
    </div>
  );
}
