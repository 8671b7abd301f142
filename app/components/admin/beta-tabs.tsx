import { Link } from '@remix-run/react';

export const BETA_TABS = { pending: 'Pending Requests', approved: 'Approved Users' } as const;
export type BetaTab = keyof typeof BETA_TABS;

/** The two lists, each at an address of its own. */
export function BetaTabs({ page, current }: { page: string; current: BetaTab }) {
  return (
    <nav aria-label="Beta access lists" className="border-b border-line">
      <ul className="flex gap-6">
        {(Object.keys(BETA_TABS) as BetaTab[]).map((tab) => (
          <li key={tab}>
            <Link
              to={tab === 'pending' ? page : `${page}?tab=${tab}`}
              preventScrollReset
              prefetch="intent"
              aria-current={tab === current ? 'page' : undefined}
              className="-mb-px block border-b-2 border-transparent py-2.5 font-semibold text-soft no-underline hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink"
            >
              {BETA_TABS[tab]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
