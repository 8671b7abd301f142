/**
 * The attributes that say when an image loads. `isFirst`: it is seen before the page is scrolled, and largest there.
 * React 18 does not know `fetchPriority`, and passes the attribute on as HTML spells it.
 */
export function imageLoading(isFirst: boolean): { loading?: 'lazy'; fetchpriority?: 'high' } {
  return isFirst ? { fetchpriority: 'high' } : { loading: 'lazy' };
}
