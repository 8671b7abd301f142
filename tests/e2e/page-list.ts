import { DEFAULT_WATCH_ID } from '#shared/brand';

/** Ids of data that a test has stored. Each brings its pages into the list. */
export interface StoredIds {
  readonly account?: string;
  readonly article?: string;
  /** A check of the default watch. */
  readonly check?: string;
  readonly release?: string;
  /** The slug of a watch besides the default one. */
  readonly watch?: string;
}

export const ROLES = ['visitor', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** `:name` stands for the id of that name in StoredIds. */
const PAGES: Record<Role, readonly string[]> = {
  visitor: [
    '/',
    '/?auth=login',
    '/news',
    '/news/:article',
    '/status',
    '/status?watch=:watch',
    '/restock/ps5',
    '/restock/:watch',
    '/developers',
    '/privacy',
    '/terms',
    '/login',
    '/signup',
    '/auth/discord/error',
    '/unsubscribe',
  ],
  member: [
    '/',
    '/dashboard',
    '/dashboard/subscription',
    '/dashboard/subscription?tab=tokens',
    '/account',
    '/status',
  ],
  admin: [
    '/',
    '/dashboard',
    '/dashboard/site-settings',
    '/dashboard/beta-access',
    '/dashboard/hero-slides',
    '/dashboard/hero-tracking',
    '/dashboard/articles',
    '/dashboard/articles/new',
    '/dashboard/articles/:article',
    '/dashboard/articles/:article/delete',
    '/dashboard/monitor',
    '/dashboard/monitor/new',
    `/dashboard/monitor/${DEFAULT_WATCH_ID}`,
    `/dashboard/monitor/${DEFAULT_WATCH_ID}/edit`,
    `/dashboard/monitor/${DEFAULT_WATCH_ID}/checks/:check`,
    '/dashboard/monitor/:watch',
    '/dashboard/monitor/:watch/edit',
    '/dashboard/monitor/:watch/delete',
    '/dashboard/accounts',
    '/dashboard/accounts/:account',
    '/dashboard/releases',
    '/dashboard/releases/:release',
    '/dashboard/releases/:release/delete',
    '/account',
  ],
};

/** The paths of the pages that a role uses, without those of data that is not in `ids`. */
export function pagesOf(role: Role, ids: StoredIds = {}): string[] {
  const values = Object.entries(ids);
  return PAGES[role]
    .map((path) => values.reduce((filled, [name, id]) => filled.replace(`:${name}`, id), path))
    .filter((path) => !path.includes(':'));
}
