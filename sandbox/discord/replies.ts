import { respond, respondJson, type ResponseHeaders, type RequestContext } from '../http/app';

/** A response of the webhook API. A string body is sent as it is, anything else as JSON. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: ResponseHeaders;
}

export const UNKNOWN_WEBHOOK: Reply = { status: 404, body: { message: 'Unknown Webhook', code: 10015 } };
export const UNKNOWN_MESSAGE: Reply = { status: 404, body: { message: 'Unknown Message', code: 10008 } };
export const WRONG_TOKEN: Reply = { status: 401, body: { message: 'Invalid Webhook Token', code: 50027 } };
export const UNKNOWN_CHANNEL: Reply = { status: 404, body: { message: 'Unknown Channel', code: 10003 } };

const FAULTS: Record<number, Reply['body']> = {
  400: { message: 'Invalid Form Body', code: 50035 },
  401: WRONG_TOKEN.body,
  403: { message: 'Missing Permissions', code: 50013 },
  404: UNKNOWN_WEBHOOK.body,
  500: { message: '500: Internal Server Error', code: 0 },
};

/** Discord's response for the status of a fault. */
export function faultReply(status: number): Reply {
  const body = FAULTS[status];
  if (body) return { status, body };
  if (status < 500) return { status, body: { message: `${status}: Refused`, code: 0 } };
  // Gateway errors come from the proxy in front of Discord, which sends HTML.
  const html = `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>cloudflare</body></html>`;
  return {
    status,
    body: html,
    headers: { 'content-type': 'text/html; charset=utf-8', server: 'cloudflare' },
  };
}

/** The error for a request that is rejected before its body is parsed, because it is not JSON; or null. */
export function rejectUnread({ req }: RequestContext): Reply | null {
  if (!/^application\/json\b/i.test(req.header('content-type') ?? '')) {
    const message = 'Expected "Content-Type" header to be one of {\'application/json\'}.';
    return { status: 400, body: { message, code: 50035 } };
  }
  return null;
}

const BAN_PAGE =
  '<!doctype html><html><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head><body><h1>Error 1015</h1><h2>You are being rate limited</h2></body></html>';
const BAN_MESSAGE =
  'You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently. Please read our docs at https://discord.com/developers/docs/topics/rate-limits to prevent this moving forward.';

/** The response of the edge to a blocked address. Both forms as quoted in discord/discord-api-docs, issue 5810. */
export function banReply({ as = 'html', retryAfter }: { as?: 'html' | 'json'; retryAfter?: number }): Reply {
  const headers: ResponseHeaders = { server: 'cloudflare' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (as === 'json') return { status: 429, body: { message: BAN_MESSAGE, code: 0 }, headers };
  return { status: 429, body: BAN_PAGE, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } };
}

export function toResponse({ status, body, headers }: Reply): Response {
  return body === undefined || typeof body === 'string'
    ? respond(status, headers, body)
    : respondJson(status, body, headers);
}

/** Discord's observed limit is five posts per webhook in two seconds. The sandbox only shows it and does not enforce it. */
const SHOWN_LIMIT = 5;

/** Timers can fire slightly early: a caller that waited for `retry_after` must not get another 429. */
const TOLERANCE_MS = 2;

export interface Limit {
  /** Epoch milliseconds at which the limit ends. */
  until: number;
  global: boolean;
  scope: 'user' | 'global' | 'shared';
}

export interface TooManyRequests {
  body: { message: string; retry_after: number; global: boolean };
  headers: ResponseHeaders;
}

/** Whether a limit is in force at this moment (epoch milliseconds). */
export function isInForce(limit: Limit | null, now: number): limit is Limit {
  return limit !== null && now < limit.until - TOLERANCE_MS;
}

/**
 * Discord's response with status 429: fractional seconds in the body (`retry_after`), whole seconds (rounded up) in
 * `Retry-After`. Source: Discord docs, "Rate Limits › Exceeding A Rate Limit".
 * @param now epoch milliseconds
 */
export function tooManyRequests(limit: Limit, webhookId: string, now: number): TooManyRequests {
  const seconds = Math.max(1, Math.ceil(limit.until - now)) / 1_000;
  const headers: ResponseHeaders = {
    'retry-after': String(Math.ceil(seconds)),
    'x-ratelimit-scope': limit.scope,
  };
  if (limit.global) {
    headers['x-ratelimit-global'] = 'true';
  } else {
    headers['x-ratelimit-limit'] = String(SHOWN_LIMIT);
    headers['x-ratelimit-remaining'] = '0';
    headers['x-ratelimit-reset'] = (limit.until / 1_000).toFixed(3);
    headers['x-ratelimit-reset-after'] = seconds.toFixed(3);
    headers['x-ratelimit-bucket'] = `sandbox-${webhookId}`;
  }
  const message = 'You are being rate limited.';
  return { body: { message, retry_after: seconds, global: limit.global }, headers };
}
