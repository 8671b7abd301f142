import { setTimeout as startTimer } from 'node:timers';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { PRODUCT_NAME } from '../../brand';
import { SECOND } from '../../clock';
import { createUndiciConnector } from '../../network/connect/undici-connector.server';
import { readLimited } from '../../network/read-limited';
import { firstCharacters } from '../../text';
import type { DiscordMessage } from './discord-message';
import { retryAfterMs } from '../alert-timing';
import type { WebhookAddress } from '../webhooks/webhook-address';

/** One request, from the connection to the last byte. Shorter than a claim lasts. */
const DISCORD_TIMEOUT_MS = 10 * SECOND;
const CONNECTIONS_PER_HOST = 64;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Discord's response, classified by what to do next. */
export type DiscordAnswer =
  | { is: 'ok'; status: number; messageId: string | null; ms: number }
  | { is: 'rate_limited'; status: 429; waitMs: number; global: boolean; reason: string }
  /** `uncertain`: the request may have been accepted although no answer came. */
  | { is: 'retry'; status: number | null; reason: string; uncertain: boolean }
  | { is: 'rejected'; status: number; reason: string; gone: 'webhook' | 'message' | null };

export interface DiscordWebhooks {
  /** Reads the webhook without posting anything. */
  verify(address: WebhookAddress): Promise<DiscordAnswer>;
  post(address: WebhookAddress, message: DiscordMessage): Promise<DiscordAnswer>;
  edit(address: WebhookAddress, messageId: string, message: DiscordMessage): Promise<DiscordAnswer>;
  close(): Promise<void>;
}

const messageSchema = z.object({ id: z.string().regex(/^\d{1,25}$/) });
const errorSchema = z.object({
  message: z.string().optional(),
  code: z.number().optional(),
  global: z.boolean().optional(),
});

/** Discord's JSON error codes (Discord docs, "Opcodes and status codes", JSON). */
const UNKNOWN_MESSAGE = 10008;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether the connection failed before the request could be sent. */
function failedToConnect(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ].includes(code);
}

function describeFault(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return `no answer (${error.code})`;
  return error instanceof Error && error.name === 'AbortError'
    ? `no answer within ${DISCORD_TIMEOUT_MS / SECOND} s`
    : 'no answer';
}

function classifyResponse(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  text: string,
  wasEdit: boolean,
  ms: number,
): DiscordAnswer {
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    const message = messageSchema.safeParse(body);
    return { is: 'ok', status, messageId: message.success ? message.data.id : null, ms };
  }
  const fault = errorSchema.safeParse(body).data ?? {};
  const words = fault.message === undefined ? '' : `: ${firstCharacters(fault.message, 200)}`;
  const reason = `Discord answered ${status}${fault.code === undefined ? '' : ` (code ${fault.code})`}${words}`;
  if (status === 429) {
    return {
      is: 'rate_limited',
      status,
      waitMs: retryAfterMs(headers, body, Date.now()),
      global: fault.global === true || headers['x-ratelimit-global'] === 'true',
      reason,
    };
  }
  if (status >= 500 || status === 408) return { is: 'retry', status, reason, uncertain: false };
  let gone: 'webhook' | 'message' | null = null;
  if (status === 404)
    gone = wasEdit && (fault.code === undefined || fault.code === UNKNOWN_MESSAGE) ? 'message' : 'webhook';
  else if (status === 401 || status === 403) gone = 'webhook';
  return { is: 'rejected', status, reason, gone };
}

/**
 * The client of Discord's webhook endpoints over kept-alive connections. Redirects are never followed.
 * `appUrl` names us in the User-Agent, without which Discord's edge may refuse (Discord docs, "Reference", User Agent).
 */
export function createDiscordWebhooks({ appUrl }: { appUrl: string }): DiscordWebhooks {
  const agent = new Agent({
    connections: CONNECTIONS_PER_HOST,
    keepAliveTimeout: 60 * SECOND,
    connect: createUndiciConnector({ timeoutMs: 5 * SECOND }),
  });
  const userAgent = `DiscordBot (${appUrl}, 1.0) ${PRODUCT_NAME}`;

  async function send(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    message: DiscordMessage | null,
  ): Promise<DiscordAnswer> {
    const began = performance.now();
    const controller = new AbortController();
    const timer = startTimer(() => controller.abort(), DISCORD_TIMEOUT_MS);
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        method,
        headers: {
          'user-agent': userAgent,
          ...(message === null ? {} : { 'content-type': 'application/json' }),
        },
        body: message === null ? null : JSON.stringify(message),
        signal: controller.signal,
      });
      const text = await readLimited(body, { maxBytes: MAX_ANSWER_BYTES });
      return classifyResponse(
        statusCode,
        headers,
        text,
        method === 'PATCH',
        Math.round(performance.now() - began),
      );
    } catch (error) {
      return {
        is: 'retry',
        status: null,
        reason: describeFault(error),
        uncertain: method === 'POST' && !failedToConnect(error),
      };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    verify: (address) => send('GET', address.url, null),
    post: (address, message) => send('POST', `${address.url}?wait=true`, message),
    edit: (address, messageId, message) => send('PATCH', `${address.url}/messages/${messageId}`, message),
    close: () => agent.destroy(),
  };
}
