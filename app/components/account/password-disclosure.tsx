import type { ReactNode } from 'react';
import { ChevronIcon } from '~/components/ui/icons';

/** The other way in, folded away until asked for. */
export function PasswordDisclosure({ open, children }: { open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="group border-t border-line pt-4">
      <summary className="flex min-h-10 cursor-pointer list-none items-center justify-between gap-3 rounded-control font-semibold [&::-webkit-details-marker]:hidden">
        Use email and password instead
        <span className="transition group-open:rotate-180">
          <ChevronIcon />
        </span>
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
