import { useEffect, type ReactNode } from 'react';
import { SiteNav, SkipLink } from '~/components/site/site-nav';
import { ButtonLink } from '~/components/ui/button';
import { AccountCard } from './account-card';

interface InterstitialPageProps {
  title: string;
  /** The redirect's target, as a link. */
  next: { href: string; name: string };
  children: ReactNode;
}

/**
 * An interstitial (a redirect page). It cannot contain a form that posts: its Referrer-Policy is no-referrer, so browsers send no
 * usable Origin header, which the CSRF check requires.
 */
export function InterstitialPage({ title, next, children }: InterstitialPageProps) {
  return (
    <>
      <SkipLink />
      <SiteNav />
      <AccountCard title={title}>
        {children}
        <p>
          <ButtonLink href={next.href}>{next.name}</ButtonLink>
        </p>
      </AccountCard>
    </>
  );
}

/** Replaces this page by another one of the site after a delay, unless a form of it leads elsewhere. */
export function useLeaveAfter(path: string, delayMs: number): void {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(path), delayMs);
    const stop = () => clearTimeout(timer);
    window.addEventListener('submit', stop);
    return () => {
      stop();
      window.removeEventListener('submit', stop);
    };
  }, [path, delayMs]);
}
