import type { ReactNode } from 'react';

const LOOKS = {
  plain: 'border border-line',
  /** Pro wears foil. */
  pro: 'foil',
  /** Planned, not there yet. */
  planned: 'border border-dashed border-soft text-soft',
} as const;

export function Badge({ look = 'plain', children }: { look?: keyof typeof LOOKS; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2.5 py-0.5 font-sans text-small font-[650] tracking-normal whitespace-nowrap ${LOOKS[look]}`}
    >
      {children}
    </span>
  );
}
