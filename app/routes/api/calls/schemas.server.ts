import { z } from 'zod';
import type { ManagedAccount } from '#shared/accounts/account-status.server';
import type { Profile } from '#shared/accounts/profile';
import type { BetaStats, BetaUser } from '#shared/beta/read-beta';
import type { MonitorCheck } from '#shared/monitor/checks/reading/checks';
import { AVAILABILITIES, AVAILABILITY_DETAILS, VERDICTS } from '#shared/monitor/checks/verdict';
import type { DescribedWatch } from '#shared/monitor/watches/describe-watch';
import type { Article, Media } from '#shared/news/article';
import type { TrackingSets } from '#shared/settings/tracking-sets';

// The records of API responses, each with an example for the OpenAPI document.

export const profileSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(['admin', 'member']),
    username: z.string(),
    beta_approved: z.boolean(),
    beta_requested_at: z.string().nullable(),
    desktop_access: z.boolean(),
    subscription: z.object({
      tier: z.enum(['free', 'pro']),
      expiresAt: z.string().nullable(),
      cancelAtPeriodEnd: z.boolean(),
    }),
    discord: z.object({ id: z.string(), avatar: z.string().nullable(), username: z.string() }).optional(),
    preferences: z.object({
      alerts: z.object({
        email: z.boolean(),
        push: z.boolean(),
        watches: z
          .array(z.string())
          .nullable()
          .describe('The slugs of the watches to alert about; null: all.'),
        quietHours: z
          .object({ from: z.number(), to: z.number() })
          .nullable()
          .describe(
            'Whole hours in `timeZone`, over midnight if `to` is smaller: emails wait until they end, notifications make no sound. Null: none.',
          ),
        pausedUntil: z
          .string()
          .nullable()
          .describe('No emails or notifications are sent before this time. Null: alerts are not paused.'),
      }),
      timeZone: z.string().describe('The IANA name.'),
      marketing: z.boolean(),
    }),
  })
  .meta({ id: 'Profile' }) satisfies z.ZodType<Profile>;

export const profileExample: z.output<typeof profileSchema> = {
  id: '5f0c2a8e-7f5b-4b8e-9c1d-2a6e4b7d9f10',
  email: 'ash@packwatch.example',
  role: 'member',
  username: 'Ash',
  beta_approved: true,
  beta_requested_at: '2026-11-02T09:15:00.000Z',
  desktop_access: false,
  subscription: { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false },
  discord: { id: '80351110224678912', avatar: null, username: 'ash' },
  preferences: {
    alerts: { email: true, push: false, watches: null, quietHours: { from: 22, to: 7 }, pausedUntil: null },
    timeZone: 'Europe/London',
    marketing: false,
  },
};

/** An account as admins see it. */
export const managedAccountSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    username: z.string(),
    role: z.enum(['admin', 'member']),
    discordUsername: z.string().nullable(),
    createdAt: z.string(),
    confirmedAt: z.string().nullable().describe('Null: the address was never confirmed.'),
    disabledAt: z.string().nullable().describe('Null: the account is not disabled.'),
    deleteAfter: z.string().nullable().describe('When it will be deleted; null: no deletion is pending.'),
    deletedAt: z.string().nullable().describe('When it was deleted: what is left has no name.'),
    tier: z.enum(['free', 'pro']),
    sessions: z.number(),
  })
  .meta({ id: 'ManagedAccount' }) satisfies z.ZodType<ManagedAccount>;

export const managedAccountExample: z.output<typeof managedAccountSchema> = {
  id: profileExample.id,
  email: profileExample.email,
  username: 'Ash',
  role: 'member',
  discordUsername: 'ash',
  createdAt: '2026-11-01T08:00:00.000Z',
  confirmedAt: '2026-11-01T08:02:00.000Z',
  disabledAt: null,
  deleteAfter: null,
  deletedAt: null,
  tier: 'free',
  sessions: 2,
};

/** A new session. */
export const signedInSchema = z
  .object({
    token: z.string().describe('For `Authorization: Bearer`.'),
    user: z.object({ id: z.string(), email: z.string() }),
  })
  .meta({ id: 'SignedIn' });

export const signedInExample: z.output<typeof signedInSchema> = {
  token: 'pX1mS0b7cQeZ4nV9uTj2LwKfRy8aHdGo6iNB3sCvEqM',
  user: { id: profileExample.id, email: profileExample.email },
};

/** An amount of money. */
export const poundsSchema = z.number().describe('In pounds.');

export const messageSchema = z.object({ message: z.string() });

export const monitorCheckSchema = z
  .object({
    id: z.string(),
    queue_detected: z.boolean(),
    error_message: z.string().nullable(),
    response_time_ms: z.number(),
    raw_response: z.string().nullable(),
    alert_sent: z.boolean(),
    check_timestamp: z.string(),
    http_status_code: z.number().nullable(),
    scrappey_status: z.enum(['success', 'error', 'disabled', 'other']),
    proxy_used: z.string().nullable(),
    scrappey_request_id: z.string().nullable(),
    content_analysis: z.unknown(),
    response_headers: z.unknown(),
  })
  .meta({ id: 'MonitorCheck' }) satisfies z.ZodType<MonitorCheck>;

export const monitorCheckExample: z.output<typeof monitorCheckSchema> = {
  id: 'a4c1e7d2-3b5f-4f86-8e0a-6d2c9b1f7e35',
  queue_detected: true,
  error_message: null,
  response_time_ms: 2140,
  raw_response: null,
  alert_sent: true,
  check_timestamp: '2026-11-20T10:30:00.000Z',
  http_status_code: 200,
  scrappey_status: 'success',
  proxy_used: null,
  scrappey_request_id: 'b0c7d5',
  content_analysis: { verdict: 'waiting_room' },
  response_headers: { 'content-type': 'text/html' },
};

export const monitorStatusSchema = z
  .object({
    queueActive: z.boolean().describe('Whether an alert is open.'),
    lastCheck: z.string().nullable(),
    withinHours: z.boolean(),
    state: z.enum(VERDICTS).describe('The verdict of the last check.'),
    scheduler: z.object({
      running: z.boolean(),
      intervalSeconds: z.number(),
      nextCheck: z.string().nullable(),
    }),
    daemon: z.object({ online: z.boolean(), lastHeartbeat: z.string().nullable() }),
  })
  .meta({ id: 'MonitorStatus' });

export const monitorStatusExample: z.output<typeof monitorStatusSchema> = {
  queueActive: false,
  lastCheck: '2026-11-20T10:30:00.000Z',
  withinHours: true,
  state: 'open',
  scheduler: { running: true, intervalSeconds: 60, nextCheck: '2026-11-20T10:31:00.000Z' },
  daemon: { online: true, lastHeartbeat: '2026-11-20T10:30:04.000Z' },
};

export const watchSchema = z
  .object({
    id: z.string(),
    slug: z.string().describe('Its name in addresses.'),
    shop: z.string(),
    title: z.string(),
    url: z.string(),
    hours: z
      .string()
      .describe('Two whole hours of the day in `timeZone`; over midnight, the end is before the start.'),
    timeZone: z.string(),
    intervalSeconds: z.number(),
    running: z.boolean(),
    state: z.enum(VERDICTS).describe('The verdict of the last check.'),
    lastCheck: z.string().nullable(),
    nextCheck: z.string().nullable(),
    kind: z.enum(['waiting_room', 'product']),
    memberRole: z
      .string()
      .nullable()
      .describe('The Discord role of the members with Pro who want its alerts; null: none.'),
    product: z
      .object({
        slug: z.string(),
        title: z.string(),
        gtin: z.string().nullable(),
        retailer: z.string(),
        variantKey: z.string().nullable().describe('Null: the best of all variants counts.'),
        fetchAs: z.enum(['page', 'shopify_json', 'woo_store_api']),
        availability: z
          .enum(AVAILABILITIES)
          .exclude(['unknown'])
          .nullable()
          .describe('What the checks settled; null before the first that was conclusive.'),
        detail: z.enum(AVAILABILITY_DETAILS).nullable(),
        price: z
          .object({
            amount: z.number().describe('In pounds, or the main unit of the currency.'),
            currency: z.string(),
          })
          .nullable(),
        discontinuedAt: z
          .string()
          .nullable()
          .describe('Since when the shop no longer sells it: it is checked once a day.'),
        robotsPermission: z.string().nullable(),
        paidFetch: z.boolean().describe('Its page is read through Scrappey, within the daily limit.'),
        host: z
          .object({
            products: z.number().describe('Running watches of products of this host.'),
            everySeconds: z.number().describe('How often this product is checked.'),
            pausedUntil: z
              .string()
              .nullable()
              .describe('While the host is left alone, after it refused a check or asked for a pause.'),
            spacingSeconds: z.number().describe('The least time between two requests to the host.'),
            robots: z
              .object({
                kind: z
                  .enum(['rules', 'none', 'unreachable'])
                  .describe('`none`: any page may be read; `unreachable`: none may.'),
                readAt: z.string(),
              })
              .nullable()
              .describe('What its robots.txt was when it was last read.'),
          })
          .nullable()
          .describe('What the host of the page bears. Null while the watch is stopped.'),
      })
      .nullable()
      .describe('What the watch of a product watches, and what it saw last. Null for a waiting room.'),
  })
  .meta({ id: 'Watch' }) satisfies z.ZodType<DescribedWatch>;

export const watchExample: z.output<typeof watchSchema> = {
  id: '3d8a1f52-9c4e-4b6d-a7f0-1e5b2c8d4a96',
  slug: 'elite-trainer-boxes',
  shop: 'Card Shop',
  title: 'Elite Trainer Boxes',
  url: 'https://shop.example/elite-trainer-boxes',
  hours: '9-21',
  timeZone: 'Europe/London',
  intervalSeconds: 60,
  running: true,
  state: 'open',
  lastCheck: '2026-11-20T10:30:00.000Z',
  nextCheck: '2026-11-20T10:31:00.000Z',
  kind: 'waiting_room',
  memberRole: null,
  product: null,
};

export const latestDebugSchema = z.object({
  timestamp: z.string(),
  queueDetected: z.boolean(),
  responseTime: z.number().describe('Milliseconds.'),
  rawResponseLength: z.number().describe('In characters, of the whole response.'),
  errorMessage: z.string().nullable(),
  rawResponse: z.string().nullable().describe('The beginning of the response; null after a week.'),
});

export const latestDebugExample: z.output<typeof latestDebugSchema> = {
  timestamp: '2026-11-20T10:30:00.000Z',
  queueDetected: false,
  responseTime: 2140,
  rawResponseLength: 48211,
  errorMessage: null,
  rawResponse: '<title>Pokémon Center</title>…',
};

/** Without the fields that only pages use. */
export const mediaSchema = z
  .object({
    id: z.string(),
    mediaType: z.enum(['image', 'video']),
    filePath: z.string(),
    altText: z.string(),
    caption: z.string(),
    displayOrder: z.number(),
    originalName: z.string(),
    fileSize: z.number(),
    width: z.number().nullable(),
    height: z.number().nullable(),
  })
  .meta({ id: 'Media' }) satisfies z.ZodType<Omit<Media, 'sources' | 'shareImage' | 'placement' | 'inText'>>;

export const mediaExample: z.output<typeof mediaSchema> = {
  id: 'e2b7d4f9-6a1c-4c3e-b58d-0f9a7c2e4d61',
  mediaType: 'image',
  filePath: '/uploads/c81d5e3a-4f7b-4a92-b6e0-7d3f1c9a2b58/image.webp',
  altText: 'A booster box',
  caption: '',
  displayOrder: 0,
  originalName: 'booster-box.png',
  fileSize: 182344,
  width: 1600,
  height: 900,
};

export const articleSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    content: z.string().describe('Sanitised HTML.'),
    excerpt: z.string().nullable(),
    published: z.boolean(),
    featured: z.boolean(),
    featuredImageId: z.string().nullable(),
    authorUsername: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string().describe('When title, content, excerpt or media last changed.'),
    publishedAt: z.string().nullable().describe('When it was first published.'),
    readTimeMinutes: z.number(),
    media: z.array(mediaSchema),
  })
  .meta({ id: 'Article' }) satisfies z.ZodType<Omit<Article, 'summary' | 'media'>>;

export const articleExample: z.output<typeof articleSchema> = {
  id: '9d3f6b1c-8e2a-4d7b-a04e-5c1b8f6d2a93',
  title: 'A restock at Pokemon Center',
  content: '<p>The waiting room opened at <strong>10:30</strong>.</p>',
  excerpt: null,
  published: true,
  featured: false,
  featuredImageId: mediaExample.id,
  authorUsername: 'Misty',
  createdAt: '2026-11-20T11:00:00.000Z',
  updatedAt: '2026-11-20T11:05:00.000Z',
  publishedAt: '2026-11-20T11:05:00.000Z',
  readTimeMinutes: 1,
  media: [mediaExample],
};

export const articlePageSchema = z.object({
  articles: z.array(articleSchema),
  page: z.number(),
  totalPages: z.number(),
  total: z.number(),
});

export const articlePageExample: z.output<typeof articlePageSchema> = {
  articles: [articleExample],
  page: 1,
  totalPages: 1,
  total: 1,
};

/** In responses. Requests use `trackingSetsSchema`, which also trims texts. */
export const trackingSetsResponse = z
  .object({
    enabled: z.boolean(),
    trackingSets: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        imageUrl: z.string().describe('A path from the site’s root.'),
        enabled: z.boolean(),
        order: z.number().describe('Starts at 1.'),
      }),
    ),
  })
  .meta({ id: 'TrackingSets' }) satisfies z.ZodType<TrackingSets>;

export const trackingSetsExample: z.output<typeof trackingSetsResponse> = {
  enabled: true,
  trackingSets: [
    {
      id: 'prismatic',
      name: 'Prismatic Evolutions',
      imageUrl: '/uploads/c81d5e3a-4f7b-4a92-b6e0-7d3f1c9a2b58/image.webp',
      enabled: true,
      order: 1,
    },
  ],
};

export const betaUserSchema = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    requestedAt: z.string().nullable(),
    accountCreated: z.string(),
    approvedAt: z.string().nullable(),
  })
  .meta({ id: 'BetaUser' }) satisfies z.ZodType<BetaUser>;

export const betaUserExample: z.output<typeof betaUserSchema> = {
  id: profileExample.id,
  username: 'Ash',
  email: 'ash@packwatch.example',
  requestedAt: '2026-11-02T09:15:00.000Z',
  accountCreated: '2026-11-01T18:00:00.000Z',
  approvedAt: null,
};

export const betaStatsSchema = z.object({
  totalUsers: z.number(),
  pendingRequests: z.number(),
  approvedUsers: z.number(),
  totalRequests: z.number(),
  approvalRate: z.number().describe('Per cent, with one decimal.'),
}) satisfies z.ZodType<BetaStats>;
