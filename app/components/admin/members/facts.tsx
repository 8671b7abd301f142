import type { ReactNode } from 'react';

/** Names and values beside each other. A fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(8rem,1fr)] gap-x-5 gap-y-2">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Replaces an empty list in a panel. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className="text-soft">{children}</p>;
}

/** The heading of a list within a panel. */
export function ListTitle({ children }: { children: ReactNode }) {
  return <h3 className="border-t border-line pt-4 font-semibold">{children}</h3>;
}
