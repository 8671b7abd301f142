import { Link } from '@remix-run/react';
import { useSignInPath } from '~/components/account/next-path';
import { UserMenu } from '~/components/account/user-menu';
import { useTheme } from '~/components/theme/chosen-theme';
import type { Theme } from '~/components/theme/theme';
import { ThemeSwitch } from '~/components/theme/theme-switch';
import { MenuIcon } from '~/components/ui/icons';
import { useSiteFacts } from './site-facts';
import { SiteNav } from './site-nav';

const LINK = 'py-2 font-[550] no-underline hover:text-brand';

function NewsLink({ look }: { look: string }) {
  return (
    <Link to="/news" className={`${look} ${LINK}`}>
      News
    </Link>
  );
}

/** What a small screen's bar has no room for, while nobody is signed in. */
function FoldedMenu({ theme, newsEnabled }: { theme: Theme; newsEnabled: boolean }) {
  const signInPath = useSignInPath();
  return (
    <details className="relative sm:hidden">
      <summary className="-mr-2.5 grid size-11 cursor-pointer list-none place-items-center rounded-control [&::-webkit-details-marker]:hidden">
        <span className="sr-only">Menu</span>
        <MenuIcon />
      </summary>
      <div className="absolute right-0 mt-2 w-52 rounded-pocket border border-line bg-surface p-5 pt-3 shadow-card">
        {newsEnabled ? <NewsLink look="block min-[22rem]:hidden" /> : null}
        <Link to={signInPath('/login')} className={`block ${LINK}`}>
          Log in
        </Link>
        <div className="mt-2 w-fit">
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </details>
  );
}

/** The bar of every page but the landing page: the news, the theme, and whoever is signed in. */
export function PageNav() {
  const { theme, signedIn, newsEnabled } = useSiteFacts();
  const current = useTheme(theme);
  const signInPath = useSignInPath();
  return (
    <SiteNav>
      {newsEnabled ? <NewsLink look="max-[22rem]:hidden" /> : null}
      <div className="ml-auto flex items-center gap-3 sm:gap-4">
        <div className="max-sm:hidden">
          <ThemeSwitch theme={current} inBar />
        </div>
        {signedIn === null ? (
          <>
            <Link to={signInPath('/login')} className={`max-sm:hidden ${LINK}`}>
              Log in
            </Link>
            <FoldedMenu theme={current} newsEnabled={newsEnabled} />
          </>
        ) : (
          <UserMenu who={signedIn}>
            {newsEnabled ? (
              <li className="px-3 py-0.5 min-[22rem]:hidden">
                <NewsLink look="block" />
              </li>
            ) : null}
            <li className="w-fit px-3 py-2 sm:hidden">
              <ThemeSwitch theme={current} />
            </li>
          </UserMenu>
        )}
      </div>
    </SiteNav>
  );
}
