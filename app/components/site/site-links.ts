import { PRODUCT_NAME, SHOP } from '#shared/brand';

/** The parts of the landing page, by the ids of their elements. */
export const SECTIONS = [
  { id: 'how', name: 'How it works' },
  { id: 'features', name: 'Features' },
  { id: 'roadmap', name: 'Roadmap' },
  { id: 'pricing', name: 'Pricing' },
] as const;

export const RESTOCKS = { name: 'Restocks', href: '/restock' } as const;

/** Shown below every public page. */
export const FOOTER = {
  links: { here: 'On this page', elsewhere: 'On the home page' },
  legal: {
    label: 'Restocks, status, developers, privacy and terms',
    pages: [
      RESTOCKS,
      { name: 'Status', href: '/status' },
      { name: 'Developers', href: '/developers' },
      { name: 'Privacy', href: '/privacy' },
      { name: 'Terms', href: '/terms' },
    ],
  },
  independent: `${PRODUCT_NAME} is made by collectors. It is independent of ${SHOP.name} and of every card game’s owner.`,
  honest: 'Beta means that things change. Planned features are marked as planned.',
} as const;

/** Returns the path of a page of the news list; the first page has no parameter. */
export function newsPath(page: number): string {
  return page === 1 ? '/news' : `/news?page=${page}`;
}
