import type { FollowWant } from '#shared/follows/follow-fields';
import { Link } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { Empty } from './facts';

const WANTS: Record<FollowWant, string> = {
  restock: 'restock',
  preorder: 'pre-order',
  price_drop: 'price drop',
  release: 'release day',
};

export interface MemberFollow {
  slug: string;
  title: string;
  retired: boolean;
  wants: readonly FollowWant[];
  /** False beyond the plan's number of products: no alerts are sent. */
  counts: boolean;
}

/** The products that a member follows, and what they want to be told. */
export function FollowsPanel({ follows }: { follows: readonly MemberFollow[] }) {
  return (
    <Panel title="Products they follow">
      {follows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {follows.map(({ slug, title, retired, wants, counts }) => (
            <li key={slug} className="py-2 wrap-anywhere">
              <Link to={`/restock/${slug}`} className="font-semibold">
                {title}
              </Link>
              <p className="text-small text-soft">
                {wants.map((want) => WANTS[want]).join(', ')}
                {retired ? '. No longer watched' : null}
                {counts ? null : '. Beyond the plan’s limit, so it sends no alerts'}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
