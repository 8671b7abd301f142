import { Form } from '@remix-run/react';
import { Button, Link } from '~/components/ui/button';
import { SelectField, TextField } from '~/components/ui/fields';
import { Placeholder } from '~/components/restock/product-card';
import type { ListedProduct } from '#shared/products/offer';
import { MAX_SEARCH_LENGTH, type ProductFilter } from '#shared/products/reading/list-products';
import {
  priceWords,
  productPath,
  PRODUCTS_PATH,
  retailerWords,
  sinceWords,
  stateWords,
} from './product-words';
import { ProductPill } from './state-pill';

/** A product as lists show it. */
export type ProductSummary = Pick<
  ListedProduct,
  'slug' | 'title' | 'brand' | 'state' | 'detail' | 'since' | 'price'
> & {
  retailers: string[];
};

/** What lists show of a product. */
export const summaryOf = ({
  slug,
  title,
  brand,
  state,
  detail,
  since,
  price,
  offers,
}: ListedProduct): ProductSummary => ({
  slug,
  title,
  brand,
  state,
  detail,
  since,
  price,
  retailers: [...new Set(offers.map(({ retailer }) => retailer.name))],
});

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
      {products.map(({ slug, title, brand, state, detail, since, price, retailers }) => (
        <li
          key={slug}
          className="relative flex gap-4 rounded-pocket border border-line bg-surface p-4 focus-within:border-brand hover:border-soft"
        >
          <div className="relative aspect-[3/4] w-20 shrink-0 self-start overflow-hidden rounded-control border border-dashed border-line bg-sunken">
            <Placeholder />
          </div>
          <div className="flex min-w-0 flex-col gap-1.5">
            <p>
              <ProductPill state={state} detail={detail} />
            </p>
            <Heading className="text-lead leading-tight wrap-anywhere">
              <Link
                to={productPath(slug)}
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
                {priceWords(price)}
              </span>
              <span className="text-small text-soft">{sinceWords(since, nowMs)}</span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const STATES = ['in_stock', 'preorder', 'out_of_stock', 'unknown'] as const;

/** The search and the filters of the list. They work without scripts: the form is sent as a GET. */
export function ProductFilterForm({
  filter,
  retailers,
}: {
  filter: ProductFilter;
  retailers: readonly { name: string; host: string }[];
}) {
  return (
    // The order of the fields is that of the parameters in a cached address.
    <Form
      method="get"
      action={PRODUCTS_PATH}
      role="search"
      className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_auto_auto_auto]"
    >
      <TextField
        id="q"
        name="q"
        type="search"
        label="Search"
        defaultValue={filter.q}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
      />
      <SelectField id="state" name="state" label="State" defaultValue={filter.state ?? ''}>
        <option value="">Any</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {stateWords(state)}
          </option>
        ))}
      </SelectField>
      <SelectField id="retailer" name="retailer" label="Retailer" defaultValue={filter.retailer ?? ''}>
        <option value="">Any</option>
        {retailers.map(({ name, host }) => (
          <option key={host} value={host}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button>Show</Button>
    </Form>
  );
}
