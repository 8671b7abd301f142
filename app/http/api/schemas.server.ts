import { z } from 'zod';
import type { Profile } from '#shared/accounts/profile';
import type { MonitorCheck } from '#shared/monitor/list-checks';
import type { Article, Media } from '#shared/news/article';
import type { TrackingSets } from '#shared/settings/tracking-sets';

/** What more than one call answers with. Names are the API's. */
export const profileSchema = z.object({
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
    alerts: z.object({ email: z.boolean(), push: z.boolean() }),
    marketing: z.boolean(),
  }),
}) satisfies z.ZodType<Profile>;

/** A new session, for a client that keeps its token itself. */
export const signedInSchema = z.object({
  token: z.string().describe('For `Authorization: Bearer`.'),
  user: z.object({ id: z.string(), email: z.string() }),
});

export const messageSchema = z.object({ message: z.string() });

export const monitorCheckSchema = z.object({
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
}) satisfies z.ZodType<MonitorCheck>;

/** Without an image's other forms: they are for pages. */
export const mediaSchema = z.object({
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
}) satisfies z.ZodType<Omit<Media, 'sources' | 'placement' | 'inText'>>;

/** Largest body of a call that writes an article, in bytes as they are sent: JSON and all. */
export const ARTICLE_BODY_LIMIT_BYTES = 2 * 1024 * 1024;

export const articleSchema = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string().describe('Sanitised HTML.'),
  excerpt: z.string().nullable(),
  published: z.boolean(),
  featured: z.boolean(),
  featuredImageId: z.string().nullable(),
  authorUsername: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string().describe('When title, content, excerpt or media changed last.'),
  publishedAt: z.string().nullable().describe('When it was published first.'),
  readTimeMinutes: z.number(),
  media: z.array(mediaSchema),
}) satisfies z.ZodType<Omit<Article, 'summary' | 'media'>>;

export const articlePageSchema = z.object({
  articles: z.array(articleSchema),
  page: z.number(),
  totalPages: z.number(),
  total: z.number(),
});

/** As it is answered; what is written goes through a schema of its own, which also changes texts. */
export const trackingSetsAnswer = z.object({
  enabled: z.boolean(),
  trackingSets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      imageUrl: z.string().describe('From the site’s root.'),
      enabled: z.boolean(),
      order: z.number().describe('From 1.'),
    }),
  ),
}) satisfies z.ZodType<TrackingSets>;
