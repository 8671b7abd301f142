/** What a route may say about itself by `export const handle`, beside what its loader gives. */
export interface PageHandle {
  /** A page that is only passed through, sent without a referrer: it checks nothing and asks nothing. */
  passing?: true;
  /** `own`: the page brings its footer; every other page gets the small one. */
  footer?: 'own';
  /** Where else this page's pictures may come from, as sources of a Content-Security-Policy: `https:`, `blob:`. */
  imageSources?: readonly string[];
}

/** A route's handle, as far as it is one of ours. */
export function asPageHandle(handle: unknown): PageHandle {
  return typeof handle === 'object' && handle !== null ? handle : {};
}
