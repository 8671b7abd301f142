import type { ReactNode } from 'react';
import { ButtonLink } from './button';
import { OpenIcon, WarningIcon } from './icons';

const LOOKS = {
  success: { look: 'border-open bg-open-wash text-open', role: 'status', icon: <OpenIcon /> },
  error: { look: 'border-live bg-live-wash text-live', role: 'alert', icon: <WarningIcon /> },
} as const;

/** What came of it, in a green or a red box, announced to screen readers. */
export function Notice({ kind, children }: { kind: keyof typeof LOOKS; children: ReactNode }) {
  const { look, role, icon } = LOOKS[kind];
  return (
    <div role={role} className={`flex items-start gap-2.5 rounded-control border px-3.5 py-2.5 ${look}`}>
      <span className="mt-0.5">{icon}</span>
      <p className="min-w-0">{children}</p>
    </div>
  );
}

/** In place of what could not be loaded, with a way to ask again. */
export function LoadFailed({ again, children }: { again: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-4">
      <Notice kind="error">{children}</Notice>
      <ButtonLink href={again}>Try again</ButtonLink>
    </div>
  );
}
