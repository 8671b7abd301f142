import { Link } from '~/components/ui/button';
import { ProductImage } from './product-image';
import type { ProductSummary } from './product-summary';
import { priceWords, productPath, retailerWords, sinceWords } from './product-words';
import { ProductPill } from './state-pill';

/** Products as cards in a binder page. `heading`: the level of the titles. */
export function ProductGrid({
  products,
  nowMs,
  heading: Heading = 'h2',
}: {
  products: readonly ProductSummary[];
  nowMs: number;
  heading?: 'h2' | 'h3';
}) {
  return (
    <ul className="binder grid gap-3.5 sm:grid-cols-2 lg:grid-cols-3">
      {products.map(({ slug, title, brand, image, since, price, retailers, ...standing }) => (
        <li
          key={slug}
          className="relative flex gap-4 rounded-pocket border border-line bg-surface p-4 focus-within:border-brand hover:border-soft"
        >
          <ProductImage image={image} alt="" sizes="5rem" className="aspect-[3/4] w-20 shrink-0 self-start" />
          <div className="flex min-w-0 flex-col gap-1.5">
            <p>
              <ProductPill {...standing} />
            </p>
            <Heading className="text-lead leading-tight wrap-anywhere">
              <Link
                to={productPath(slug)}
                prefetch="intent"
                className="no-underline after:absolute after:inset-0 after:rounded-pocket"
              >
                {title}
              </Link>
            </Heading>
            <p className="text-small wrap-anywhere text-soft">
              {[brand, retailerWords(retailers)].filter((part) => part !== null).join(' · ')}
            </p>
            <p className="mt-auto flex flex-wrap items-baseline gap-x-3">
              <span className="font-display text-title font-bold tracking-[-0.02em]">
                {priceWords(price, standing.isChecked)}
              </span>
              <span className="text-small text-soft">{sinceWords(since, nowMs)}</span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
