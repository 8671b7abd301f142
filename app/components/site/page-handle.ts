/** A route's `handle` export. */
export interface PageHandle {
  /** An interstitial: it redirects, is sent without a referrer, and has no forms and no cookie banner. */
  interstitial?: true;
  /** `own`: the page renders its footer itself; every other page gets the small one. */
  footer?: 'own';
  /** Further image sources for the page's Content-Security-Policy: `https:`, `blob:`. */
  imageSources?: readonly string[];
  /** Forms of the page may redirect to Stripe's own pages. */
  paysWithStripe?: true;
  /** Whether the page loads Stripe.js; gets the data of the route's loader. */
  loadsStripe?(loaded: unknown): boolean;
}

/** Returns a route's handle; an empty one if it has none. */
export function asPageHandle(handle: unknown): PageHandle {
  return typeof handle === 'object' && handle !== null ? handle : {};
}
