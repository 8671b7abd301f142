/** One section of the admin dashboard. */
export interface AdminSectionFacts {
  path: string;
  /** The short name, for the carousel. */
  name: string;
  /** The heading of the section's page, also its title. */
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

/** Returns the heading of a section's page. */
export function headingOf(path: AdminSectionPath): string {
  return ADMIN_SECTIONS.find((section) => section.path === path)?.heading ?? '';
}

const COUNT = ADMIN_SECTIONS.length;

/** Returns the index of the section that contains a path; -1 for none. */
export function sectionIndexAt(pathname: string): number {
  return ADMIN_SECTIONS.findIndex(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Returns the section `steps` away; wraps around at both ends. */
export function sectionBeside(index: number, steps: number): AdminSectionFacts {
  const beside = (((index + steps) % COUNT) + COUNT) % COUNT;
  return ADMIN_SECTIONS[beside] ?? ADMIN_SECTIONS[0];
}

/** Returns a section's number in the set: "2/6". */
export function setNumberOf(index: number): string {
  return `${index + 1}/${COUNT}`;
}
