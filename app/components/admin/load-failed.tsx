import type { ReactNode } from 'react';
import { ButtonLink } from '~/components/ui/button-link';
import { Notice } from '~/components/ui/notice';

/** In place of what could not be loaded, with a way to ask again. */
export function LoadFailed({ again, children }: { again: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-4">
      <Notice kind="error">{children}</Notice>
      <ButtonLink href={again}>Try again</ButtonLink>
    </div>
  );
}
