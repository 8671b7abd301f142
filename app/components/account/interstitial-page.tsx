import { type ReactNode, useEffect } from 'react';
import { SiteNav } from '~/components/site/site-nav';
import { ButtonLink } from '~/components/ui/button';
import { AccountCard } from './account-card';

/**
 * An interstitial (a redirect page). It has no form: it is sent without a referrer, and browsers then send no Origin
 * either, which forms need.
 */
export function InterstitialPage({
  title,
  next,
  children,
}: {
  title: string;
  /** Where it redirects, as a link. */
  next: { href: string; name: string };
  children: ReactNode;
}) {
  return (
    <>
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

/** Opens another page of the site after a while, in place of this one. */
export function useLeaveAfter(path: string, delayMs: number): void {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(path), delayMs);
    return () => clearTimeout(timer);
  }, [path, delayMs]);
}
