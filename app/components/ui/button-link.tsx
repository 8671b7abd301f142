import type { ReactNode } from 'react';

const LOOKS = {
  plain: 'border-line bg-surface text-ink hover:border-soft',
  primary: 'border-transparent bg-brand text-brand-ink hover:opacity-90',
  /** The landing page's one primary call to action. */
  foil: 'foil border-transparent hover:saturate-150',
} as const;

/** A link that looks like the button it replaces. */
export function ButtonLink({
  href,
  look = 'plain',
  children,
}: {
  href: string;
  look?: keyof typeof LOOKS;
  children: ReactNode;
}) {
  return (
    <a
      href={href}
      className={`inline-flex min-h-11 items-center gap-2 rounded-control border px-[18px] font-semibold no-underline transition ${LOOKS[look]}`}
    >
      {children}
    </a>
  );
}
