import { Link } from '~/components/ui/button';
import { useSignInPath } from '~/components/account/use-sign-in-path';
import { UserMenu } from '~/components/account/user-menu-part';
import { useTheme } from '~/components/theme/chosen-theme';
import type { Theme } from '#shared/site/theme';
import { ThemeSwitch } from '~/components/theme/theme-switch';
import { MenuIcon } from '~/components/ui/icons';
import { useSiteFacts } from '../site/site-facts';
import { RESTOCKS } from '../site/site-links';
import { SiteNav } from '../site/site-nav';

const LINK_CLASS = 'py-2 font-[550] no-underline hover:text-brand';
const NEWS = { name: 'News', href: '/news' };

function NavLink({ to, className }: { to: { name: string; href: string }; className: string }) {
  return (
    <Link to={to.href} prefetch="intent" className={`${className} ${LINK_CLASS}`}>
      {to.name}
    </Link>
  );
}

/** The menu of small screens for signed-out users. */
function SmallScreenMenu({ theme, newsEnabled }: { theme: Theme; newsEnabled: boolean }) {
  const signInPath = useSignInPath();
  return (
    <details className="relative sm:hidden">
      <summary className="-mr-2.5 grid size-11 cursor-pointer list-none place-items-center rounded-control [&::-webkit-details-marker]:hidden">
        <span className="sr-only">Menu</span>
        <MenuIcon />
      </summary>
      <div className="absolute right-0 mt-2 w-52 rounded-pocket border border-line bg-surface p-5 pt-3 shadow-card">
        <NavLink to={RESTOCKS} className="block" />
        {newsEnabled ? <NavLink to={NEWS} className="block min-[22rem]:hidden" /> : null}
        <Link to={signInPath('/login')} prefetch="intent" className={`block ${LINK_CLASS}`}>
          Log in
        </Link>
        <div className="mt-2 w-fit">
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </details>
  );
}

/** The navigation bar of every page except the landing page. */
export function PageNav() {
  const { theme, signedIn, newsEnabled } = useSiteFacts();
  const activeTheme = useTheme(theme);
  const signInPath = useSignInPath();
  return (
    <SiteNav>
      <NavLink to={RESTOCKS} className="max-sm:hidden" />
      {newsEnabled ? <NavLink to={NEWS} className="max-[22rem]:hidden" /> : null}
      <div className="ml-auto flex items-center gap-3 sm:gap-4">
        <div className="max-sm:hidden">
          <ThemeSwitch theme={activeTheme} inBar />
        </div>
        {signedIn === null ? (
          <>
            <Link to={signInPath('/login')} prefetch="intent" className={`max-sm:hidden ${LINK_CLASS}`}>
              Log in
            </Link>
            <SmallScreenMenu theme={activeTheme} newsEnabled={newsEnabled} />
          </>
        ) : (
          <UserMenu user={signedIn}>
            <li className="px-3 py-0.5 sm:hidden">
              <NavLink to={RESTOCKS} className="block" />
            </li>
            {newsEnabled ? (
              <li className="px-3 py-0.5 min-[22rem]:hidden">
                <NavLink to={NEWS} className="block" />
              </li>
            ) : null}
            <li className="w-fit px-3 py-2 sm:hidden">
              <ThemeSwitch theme={activeTheme} />
            </li>
          </UserMenu>
        )}
      </div>
    </SiteNav>
  );
}
