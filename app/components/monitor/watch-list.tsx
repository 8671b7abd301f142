import { Link } from '@remix-run/react';
import { watchAddress } from './monitor-addresses';

export interface ListedWatch {
  slug: string;
  title: string;
}

/** The watches with their states. */
export function WatchList({ list }: { list: ListedWatch[] }) {
  return (
    <ul>
      {list.map(({ slug, title }) => (
        <li key={slug}>
          <Link to={watchAddress(slug)}>{title}</Link>
        </li>
      ))}
    </ul>
  );
}
