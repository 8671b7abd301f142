import { Link } from '@remix-run/react';
import { SUBSCRIPTION, TOKENS_TAB } from '~/components/payment/addresses';

export type Tab = 'subscription' | 'tokens';

const TABS = [
  { tab: 'subscription', name: 'Subscription', href: SUBSCRIPTION },
  { tab: 'tokens', name: 'Tokens', href: TOKENS_TAB },
] as const satisfies readonly { tab: Tab; name: string; href: string }[];

/** The tabs of the subscription page, as links. */
export function Tabs({ active }: { active: Tab }) {
  return (
    <nav aria-label="Subscription and tokens" className="flex gap-2 border-b border-line">
      {TABS.map(({ tab, name, href }) => (
        <Link
          key={tab}
          to={href}
          preventScrollReset
          aria-current={tab === active ? 'page' : undefined}
          className="-mb-px flex min-h-11 items-center border-b-3 border-transparent px-3 font-semibold text-soft no-underline hover:text-ink aria-[current]:border-brand aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
