import type { ReactNode } from 'react';
import { Logo } from './logo';

/** The first stop by keyboard, before the cookie banner and the navigation bar. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="absolute top-2 left-2 z-20 -translate-y-20 rounded-control bg-brand px-4 py-2 font-semibold text-brand-ink focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}

/** The navigation bar: the link to the home page, then `children`. */
export function SiteNav({ children }: { children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-page">
      <nav
        aria-label="Main"
        className="wrap flex min-h-16 items-center gap-3 max-[22rem]:w-[calc(100%-24px)] max-[22rem]:gap-1 sm:gap-5"
      >
        <Logo />
        {children}
      </nav>
    </header>
  );
}
