/** The `handle` export of a route, which the root route reads. */
export interface PageHandle {
  /** An interstitial: it redirects by itself, is sent without a referrer, and has no forms and no banner. */
  interstitial?: true;
  /** `own`: the page brings its footer; every other page gets the small one. */
  footer?: 'own';
  /** Where else this page's images may come from, as sources of a Content-Security-Policy: `https:`, `blob:`. */
  imageSources?: readonly string[];
}

/** The handle of a matched route; empty if it has none. */
export function asPageHandle(handle: unknown): PageHandle {
  return typeof handle === 'object' && handle !== null ? handle : {};
}
