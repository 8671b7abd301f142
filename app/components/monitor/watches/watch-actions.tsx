import { Link } from '@remix-run/react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { NEW_WATCH_PATH, deleteWatchAddress, editWatchAddress, MONITOR_PATH } from '../monitor-addresses';

interface WatchActionsProps {
  slug: string;
  isOnly: boolean;
  permanent: boolean;
}

/** A watch's links to the list and the forms, and their notices. `isOnly`: no list; `permanent`: cannot be deleted. */
export function WatchActions({ slug, isOnly, permanent }: WatchActionsProps) {
  const { result } = useForms(['add', 'edit']);
  const links: [string, string][] = [
    ...(isOnly ? [] : [[MONITOR_PATH, 'All watches'] as [string, string]]),
    [editWatchAddress(slug), 'Edit this watch'],
    ...(permanent ? [] : [[deleteWatchAddress(slug), 'Delete this watch'] as [string, string]]),
    [NEW_WATCH_PATH, 'Add a watch'],
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
                className="inline-flex min-h-8 items-center text-brand underline underline-offset-4 hover:no-underline"
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
