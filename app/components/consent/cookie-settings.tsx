import { useLocation } from '@remix-run/react';
import { createContext, useContext } from 'react';
import { addressWith } from './banner-address';

/** Opens the cookie banner on the page at hand; null on the error page, which has none. */
export const OpenCookieSettings = createContext<(() => void) | null>(null);

/**
 * Opens the cookie banner again: at once with scripts, else by an address of the same page; from the error page by that
 * of the home page.
 */
export function CookieSettingsLink({ className }: { className: string }) {
  const open = useContext(OpenCookieSettings);
  const location = useLocation();
  return (
    <a
      href={addressWith(open === null ? { pathname: '/', search: '' } : location, 'settings')}
      rel="nofollow"
      onClick={(event) => {
        if (open === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open();
      }}
      className={className}
    >
      Cookie settings
    </a>
  );
}
