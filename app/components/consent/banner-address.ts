import type { Location } from '@remix-run/react';

/** The search parameter that hides the banner for one view (`later`) or opens it again (`settings`), without scripts. */
const PARAMETER = 'cookies';

/** How an address asks for the banner: hidden for this view, open with the saved choice, or null for neither. */
export type BannerRequest = 'later' | 'settings' | null;

type Address = Pick<Location, 'pathname' | 'search'>;

/** What a page's search asks for. */
export function bannerRequestOf(search: string): BannerRequest {
  const value = new URLSearchParams(search).get(PARAMETER);
  return value === 'later' || value === 'settings' ? value : null;
}

/** The address of the same page that asks for the banner in another way, from the site's root. */
export function addressWith({ pathname, search }: Address, request: BannerRequest): string {
  const parameters = new URLSearchParams(search);
  if (request === null) parameters.delete(PARAMETER);
  else parameters.set(PARAMETER, request);
  const asked = parameters.toString();
  return asked === '' ? pathname : `${pathname}?${asked}`;
}
