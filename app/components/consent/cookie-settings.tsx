import { useLocation } from '@remix-run/react';
import { createContext, useContext } from 'react';
import { addressWith } from './banner-address';

/** Opens the cookie banner of the current page; null on the error page, which has none. */
export const OpenCookieSettings = createContext<(() => void) | null>(null);

/** Opens the cookie banner again. Without scripts it reloads the page with the banner; the error page links to the home page. */
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
