/** What a route may say about itself by `export const handle`, beside what its loader gives. */
export interface PageHandle {
  /** An interstitial: it redirects by itself, is sent without a referrer, and has no forms and no banner. */
  interstitial?: true;
  /** `own`: the page brings its footer; every other page gets the small one. */
  footer?: 'own';
  /** Where else this page's images may come from, as sources of a Content-Security-Policy: `https:`, `blob:`. */
  imageSources?: readonly string[];
}

/** A route's handle, as far as it is one of ours. */
export function asPageHandle(handle: unknown): PageHandle {
  return typeof handle === 'object' && handle !== null ? handle : {};
}
