import { Link } from '@remix-run/react';
import { useRef } from 'react';
import { UserMenu } from '~/components/account/user-menu';
import { useSiteFacts } from '~/components/site-facts';
import { SiteNav } from '~/components/site-nav';
import { ThemeSwitch, useTheme } from '~/components/theme/theme-switch';
import { ButtonLink } from '~/components/ui/button-link';
import { JOIN, SECTIONS } from './landing-content';

function SectionLinks({ onFollow }: { onFollow?: () => void }) {
  return SECTIONS.map(({ id, name }) => (
    <li key={id}>
      <a
        href={`#${id}`}
        onClick={onFollow}
        className="block rounded-control py-2 font-[550] no-underline hover:text-brand"
      >
        {name}
      </a>
    </li>
  ));
}

function AccountLinks() {
  return [
    { to: '/login', name: 'Log in' },
    { to: '/signup', name: 'Sign up' },
  ].map(({ to, name }) => (
    <li key={to}>
      <Link
        to={to}
        className="block rounded-control py-2 font-[550] whitespace-nowrap no-underline hover:text-brand"
      >
        {name}
      </Link>
    </li>
  ));
}

function JoinLink() {
  return (
    <ButtonLink href={JOIN.href} look="primary">
      {JOIN.name}
    </ButtonLink>
  );
}

/** The landing page's bar: its sections, the theme, and the way in or whoever is in. Small screens fold it. */
export function LandingNav() {
  const facts = useSiteFacts();
  const theme = useTheme(facts.theme);
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <SiteNav>
      <ul className="hidden gap-5.5 lg:flex">
        <SectionLinks />
      </ul>
      <div className="ml-auto flex items-center gap-1 sm:gap-2">
        <div className="hidden lg:block">
          <ThemeSwitch theme={theme} />
        </div>
        {facts.signedIn === null ? (
          <>
            <ul className="mx-2.5 hidden gap-5 lg:flex">
              <AccountLinks />
            </ul>
            <span className="max-[26rem]:hidden">
              <JoinLink />
            </span>
          </>
        ) : (
          <UserMenu who={facts.signedIn} />
        )}
        <details ref={menu} className="relative lg:hidden">
          <summary className="-mr-2.5 grid size-11 cursor-pointer list-none place-items-center rounded-control [&::-webkit-details-marker]:hidden">
            <span className="sr-only">Menu</span>
            <svg
              viewBox="0 0 20 20"
              width="22"
              height="22"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              aria-hidden="true"
            >
              <path d="M3 6h14M3 10h14M3 14h9" />
            </svg>
          </summary>
          <div className="absolute right-0 mt-2 w-52 rounded-pocket border border-line bg-surface p-5 pt-3 shadow-card">
            <ul>
              <SectionLinks onFollow={() => menu.current?.removeAttribute('open')} />
            </ul>
            {facts.signedIn === null ? (
              <>
                <ul className="mt-2 border-t border-line pt-2">
                  <AccountLinks />
                </ul>
                <span className="mt-2 grid min-[26rem]:hidden">
                  <JoinLink />
                </span>
              </>
            ) : null}
            <div className="mt-3 w-fit">
              <ThemeSwitch theme={theme} />
            </div>
          </div>
        </details>
      </div>
    </SiteNav>
  );
}
