import type { ReactNode } from 'react';
import { Badge } from '~/components/ui/badge';

/** A list of facts: name and value. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 text-small sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts.map(([name, value], index) => (
        // A header may come more than once.
        <div key={`${index} ${name}`} className="grid gap-x-6 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="wrap-anywhere text-soft">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** "1,204 ms", flagged over 30 seconds. */
export function ResponseTime({ ms, slow }: { ms: number; slow: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      {ms.toLocaleString('en-GB')} ms {slow ? <Badge variant="warning">Slow</Badge> : null}
    </span>
  );
}

/** "612,034 characters", flagged under 1,000. */
export function ResponseLength({ characters, short }: { characters: number; short: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      {characters.toLocaleString('en-GB')} characters {short ? <Badge variant="warning">Short</Badge> : null}
    </span>
  );
}
