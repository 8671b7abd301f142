import type { ReactNode } from 'react';
import { SiteNav } from '~/components/site-nav';
import { ButtonLink } from '~/components/ui/button-link';
import { AccountCard } from './account-card';

/**
 * A page that somebody only passes through. It holds no form: it is sent without a referrer, and browsers then
 * send no origin either, which forms need.
 */
export function PassingPage({
  title,
  next,
  children,
}: {
  title: string;
  /** Where it leads by itself, for those who do not want to wait. */
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
