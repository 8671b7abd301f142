import type { Location } from '@remix-run/react';

/** The search parameter that hides the banner for one view (`later`) or opens it again (`settings`), without scripts. */
const PARAMETER = 'cookies';

/** The banner state that a URL requests: hidden for this view, open with the saved choice, or null for neither. */
export type BannerRequest = 'later' | 'settings' | null;

type Address = Pick<Location, 'pathname' | 'search'>;

/** Returns the banner state that a URL's search parameters request. */
export function bannerRequestOf(search: string): BannerRequest {
  const value = new URLSearchParams(search).get(PARAMETER);
  return value === 'later' || value === 'settings' ? value : null;
}

/** Returns the path and search of the same page with another banner state. */
export function addressWith({ pathname, search }: Address, request: BannerRequest): string {
  const parameters = new URLSearchParams(search);
  if (request === null) parameters.delete(PARAMETER);
  else parameters.set(PARAMETER, request);
  return parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
}
