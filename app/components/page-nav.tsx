import { Link } from '@remix-run/react';
import { UserMenu } from './account/user-menu';
import { SiteNav } from './site-nav';
import { useSiteFacts } from './site-facts';
import { ThemeSwitch, useTheme } from './theme/theme-switch';

/** The bar of every page but the landing page: the theme, and whoever is signed in. */
export function PageNav() {
  const { theme, signedIn } = useSiteFacts();
  const current = useTheme(theme);
  return (
    <SiteNav>
      <div className="ml-auto flex items-center gap-3 sm:gap-4">
        <div className={signedIn === null ? '' : 'max-sm:hidden'}>
          <ThemeSwitch theme={current} />
        </div>
        {signedIn === null ? (
          <Link
            to="/login"
            className="py-2 font-[550] no-underline hover:text-brand max-sm:sr-only max-sm:focus:not-sr-only"
          >
            Log in
          </Link>
        ) : (
          <UserMenu who={signedIn}>
            <li className="w-fit px-3 py-2 sm:hidden">
              <ThemeSwitch theme={current} />
            </li>
          </UserMenu>
        )}
      </div>
    </SiteNav>
  );
}
