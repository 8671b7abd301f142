import type { ReactNode } from 'react';

const VARIANTS = {
  plain: 'border border-line',
  pro: 'foil',
  /** For features that do not exist yet. */
  planned: 'border border-dashed border-soft text-soft',
  success: 'border border-open bg-open-wash text-open',
  warning: 'border border-unknown bg-unknown-wash text-unknown',
  error: 'border border-live bg-live-wash text-live',
} as const;

interface BadgeProps {
  variant?: keyof typeof VARIANTS;
  children: ReactNode;
}

export function Badge({ variant = 'plain', children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2.5 py-0.5 font-sans text-small font-[650] tracking-normal whitespace-nowrap ${VARIANTS[variant]}`}
    >
      {children}
    </span>
  );
}
