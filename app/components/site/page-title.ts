import type { MetaDescriptor } from '@remix-run/node';
import { PRODUCT_NAME } from '#shared/brand';

/** The meta descriptors of a page that has only a title. The root and public pages write theirs: all visitors load those scripts. */
export function titled(title: string): MetaDescriptor[] {
  return [{ title: `${title} · ${PRODUCT_NAME}` }];
}

/** The same for a page that search engines must not list. */
export function unindexed(title: string): MetaDescriptor[] {
  return [...titled(title), { name: 'robots', content: 'noindex' }];
}
