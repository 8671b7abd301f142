import { z } from 'zod';
import type { Profile } from '#shared/accounts/profile';
import type { MonitorCheck } from '#shared/monitor/list-checks';

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
