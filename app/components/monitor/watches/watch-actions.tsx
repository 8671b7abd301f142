import { Link } from '@remix-run/react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import {
  NEW_WATCH_PATH,
  deleteWatchAddress,
  editWatchAddress,
  MONITOR_PATH,
  productAddress,
  PRODUCTS_PATH,
  retailerAddress,
} from '../monitor-addresses';

interface WatchActionsProps {
  slug: string;
  isOnly: boolean;
  permanent: boolean;
  /** Of a product watch: what it watches; null for a waiting room. */
  offer: { slug: string; retailer: string; shopHost: string } | null;
}

/** A watch's links to the list and the forms, and their notices. `isOnly`: no list; `permanent`: cannot be deleted. */
export function WatchActions({ slug, isOnly, permanent, offer }: WatchActionsProps) {
  const { result } = useForms(['add', 'edit']);
  const links: [string, string][] = [
    ...(isOnly || offer !== null ? [] : [[MONITOR_PATH, 'All watches'] as [string, string]]),
    ...(offer === null
      ? []
      : ([
          [retailerAddress(offer.shopHost), offer.retailer],
          [productAddress(offer.slug), 'Product'],
        ] as [string, string][])),
    [editWatchAddress(slug), 'Edit this watch'],
    ...(permanent ? [] : [[deleteWatchAddress(slug), 'Delete this watch'] as [string, string]]),
    ...(offer === null ? [[NEW_WATCH_PATH, 'Add a watch'] as [string, string]] : []),
    [PRODUCTS_PATH, 'Products'],
  ];
  return (
    <div className="grid gap-3">
      <FormNotice result={result} />
      <nav aria-label="Watches">
        <ul className="flex flex-wrap gap-x-5">
          {links.map(([to, name]) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-8 min-w-0 items-center wrap-anywhere text-brand underline underline-offset-4 hover:no-underline"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
