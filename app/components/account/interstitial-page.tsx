import type { ReactNode } from 'react';
import { SiteNav } from '~/components/site-nav';
import { ButtonLink } from '~/components/ui/button-link';
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
