import { DEFAULT_WATCH_ID } from '#shared/brand';

/** Ids of data that a test has stored. Each brings its pages into the list. */
export interface StoredIds {
  readonly account?: string;
  readonly article?: string;
  /** Of `article`. */
  readonly media?: string;
  /** A check of the default watch. */
  readonly check?: string;
  /** A product, the watch of a page of it with a check, and the host of its shop. */
  readonly product?: string;
  readonly offer?: string;
  readonly evidence?: string;
  readonly retailer?: string;
  /** What the daemon saw of a page. */
  readonly preview?: string;
  readonly release?: string;
  /** A tracking set. */
  readonly set?: string;
  /** The token of a link that ends mails. */
  readonly unsubscribe?: string;
  /** The token of a link that ends a session. */
  readonly endSession?: string;
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
    '/restock',
    '/restock/ps5',
    '/restock/:watch',
    '/developers',
    '/privacy',
    '/terms',
    '/login',
    '/signup',
    '/auth/discord/error',
    '/unsubscribe',
    '/unsubscribe?token=:unsubscribe',
    '/end-session',
    '/end-session?token=:endSession',
    '/keep-account',
  ],
  member: [
    '/',
    '/dashboard',
    '/dashboard?buy=1',
    '/dashboard/subscription',
    '/dashboard/subscription?tab=tokens',
    '/dashboard/subscription?change=1',
    '/dashboard/subscription?cancel=1',
    '/account',
    '/account/data',
    '/account/delete',
    '/status',
  ],
  admin: [
    '/',
    '/dashboard',
    '/dashboard/site-settings',
    '/dashboard/beta-access',
    '/dashboard/beta-access?tab=approved&revoke=:account',
    '/dashboard/hero-slides',
    '/dashboard/hero-tracking',
    '/dashboard/hero-tracking?remove=:set',
    '/dashboard/articles',
    '/dashboard/articles/new',
    '/dashboard/articles/:article',
    '/dashboard/articles/:article/delete',
    '/dashboard/articles/:article/media/:media/delete',
    '/dashboard/monitor',
    '/dashboard/monitor/new',
    '/dashboard/monitor/products',
    '/dashboard/monitor/products/new',
    '/dashboard/monitor/products/:product',
    '/dashboard/monitor/retailers/:retailer',
    '/dashboard/monitor/cases',
    '/dashboard/monitor/products?tab=suggestions',
    '/dashboard/monitor/retailers/:retailer?delete-webhook=instant',
    '/dashboard/monitor/:offer',
    '/dashboard/monitor/:offer/checks/:evidence',
    '/dashboard/monitor/products/new?preview=:preview',
    `/dashboard/monitor/${DEFAULT_WATCH_ID}`,
    `/dashboard/monitor/${DEFAULT_WATCH_ID}?debug=1`,
    `/dashboard/monitor/${DEFAULT_WATCH_ID}?delete-webhook=free`,
    `/dashboard/monitor/${DEFAULT_WATCH_ID}/edit`,
    `/dashboard/monitor/${DEFAULT_WATCH_ID}/checks/:check`,
    '/dashboard/monitor/:watch',
    '/dashboard/monitor/:watch/edit',
    '/dashboard/monitor/:watch/delete',
    '/dashboard/members',
    '/dashboard/members/:account',
    '/dashboard/members/:account?ask=disable',
    '/dashboard/members/:account?ask=signOut',
    '/dashboard/members/:account?ask=grant',
    '/dashboard/discord-roles',
    '/dashboard/members/:account?ask=delete',
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
