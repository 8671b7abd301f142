import { Link, ButtonLink } from '~/components/ui/button';
import { useRef } from 'react';
import { useSignInPath } from '~/components/account/use-sign-in-path';
import { UserMenu } from '~/components/account/user-menu-part';
import { useSiteFacts } from '~/components/site/site-facts';
import { SiteNav } from '~/components/site/site-nav';
import { useTheme } from '~/components/theme/chosen-theme';
import { ThemeSwitch } from '~/components/theme/theme-switch';
import { MenuIcon } from '~/components/ui/icons';
import { RESTOCKS, SECTIONS } from '~/components/site/site-links';
import { ACCOUNT_LINKS, JOIN, NAV, NEWS } from './landing-content';

const LINK_CLASS = 'block rounded-control py-2 font-[550] whitespace-nowrap no-underline hover:text-brand';

function PageLinks({ onFollow }: { onFollow?: () => void }) {
  const { newsEnabled } = useSiteFacts();
  return (
    <>
      {SECTIONS.map(({ id, name }) => (
        <li key={id}>
          <a href={`#${id}`} onClick={onFollow} className={LINK_CLASS}>
            {name}
          </a>
        </li>
      ))}
      {(newsEnabled ? [RESTOCKS, NEWS] : [RESTOCKS]).map(({ href, name }) => (
        <li key={href}>
          <Link to={href} prefetch="intent" className={LINK_CLASS}>
            {name}
          </Link>
        </li>
      ))}
    </>
  );
}

function AccountLinks() {
  const signInPath = useSignInPath();
  return ACCOUNT_LINKS.map(({ href, name }) => (
    <li key={href}>
      <Link to={signInPath(href)} prefetch="intent" className={LINK_CLASS}>
        {name}
      </Link>
    </li>
  ));
}

function JoinLink() {
  const signInPath = useSignInPath();
  return (
    <ButtonLink href={signInPath(JOIN.href)} variant="primary">
      {JOIN.name}
    </ButtonLink>
  );
}

/** The landing page's navigation bar; a menu on small screens. */
export function LandingNav() {
  const facts = useSiteFacts();
  const theme = useTheme(facts.theme);
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <SiteNav>
      {/* The bar has no room for the first link, whose section comes next on the page. */}
      <ul className="hidden gap-4 min-[72rem]:flex [&>:first-child]:hidden">
        <PageLinks />
      </ul>
      <div className="ml-auto flex items-center gap-1 max-[22rem]:gap-0 sm:gap-2">
        <div className="hidden min-[72rem]:block">
          <ThemeSwitch theme={theme} inBar />
        </div>
        {facts.signedIn === null ? (
          <>
            <ul className="mx-1.5 hidden gap-4 min-[72rem]:flex">
              <AccountLinks />
            </ul>
            <span className="max-[26rem]:hidden">
              <JoinLink />
            </span>
          </>
        ) : (
          <UserMenu user={facts.signedIn} />
        )}
        <details ref={menu} className="relative min-[72rem]:hidden">
          <summary className="-mr-2.5 grid size-11 cursor-pointer list-none place-items-center rounded-control [&::-webkit-details-marker]:hidden">
            <span className="sr-only">{NAV.menu}</span>
            <MenuIcon />
          </summary>
          <div className="absolute right-0 mt-2 w-52 rounded-pocket border border-line bg-surface p-5 pt-3 shadow-card">
            <ul>
              <PageLinks onFollow={() => menu.current?.removeAttribute('open')} />
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
