import type { ReactNode } from 'react';
import { ChevronIcon } from '~/components/ui/icons';

interface DisclosureProps {
  summary: ReactNode;
  open?: boolean;
  children: ReactNode;
}

/** A part that opens on demand, without scripts too. `summary`: what stays visible. */
export function Disclosure({ summary, open = false, children }: DisclosureProps) {
  return (
    <details className="group" open={open || undefined}>
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-control [&::-webkit-details-marker]:hidden">
        {summary}
        <span className="transition group-open:rotate-180">
          <ChevronIcon />
        </span>
      </summary>
      {children}
    </details>
  );
}
