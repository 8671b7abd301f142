/** One section of the admin dashboard. */
export interface AdminSectionFacts {
  path: string;
  /** In the carousel. */
  name: string;
  /** Over the section itself and in its tab's title, where it may be longer. */
  heading: string;
}

/** The six sections, in the carousel's order. */
export const ADMIN_SECTIONS = [
  { path: '/dashboard/site-settings', name: 'Site Settings', heading: 'Site Settings' },
  { path: '/dashboard/beta-access', name: 'Beta Access', heading: 'Beta Access Management' },
  {
    path: '/dashboard/hero-slides',
    name: 'Hero Slide Configuration',
    heading: 'Hero Slide Configuration',
  },
  { path: '/dashboard/hero-tracking', name: 'Hero Tracking Images', heading: 'Hero Tracking Slides' },
  { path: '/dashboard/articles', name: 'Article Management', heading: 'Article Management' },
  { path: '/dashboard/monitor', name: 'Pokemon Center Monitor', heading: 'Pokemon Center UK Monitor' },
] as const satisfies readonly AdminSectionFacts[];

export type AdminSectionPath = (typeof ADMIN_SECTIONS)[number]['path'];

/** The heading of a section's page, and the title of its tab. */
export function headingOf(path: AdminSectionPath): string {
  return ADMIN_SECTIONS.find((section) => section.path === path)?.heading ?? '';
}

const COUNT = ADMIN_SECTIONS.length;

/** The number, from 0, of the section that an address belongs to, pages below it included; -1 for none. */
export function sectionIndexAt(pathname: string): number {
  return ADMIN_SECTIONS.findIndex(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
}

/** The section so many steps away. The carousel goes round: after the last comes the first. */
export function sectionBeside(index: number, steps: number): AdminSectionFacts {
  const beside = (((index + steps) % COUNT) + COUNT) % COUNT;
  return ADMIN_SECTIONS[beside] ?? ADMIN_SECTIONS[0];
}

/** What is printed at a section's foot: "2/6". */
export function setNumberOf(index: number): string {
  return `${index + 1}/${COUNT}`;
}
