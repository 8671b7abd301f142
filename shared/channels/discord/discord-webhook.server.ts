import { setTimeout as startTimer } from 'node:timers';
import { PRODUCT_NAME } from '../../brand';
import { SECOND, systemClock } from '../../clock';
import { createHttpClient } from '../../network/connect/http-client.server';
import { readLimited } from '../../network/read-limited';
import type { WebhookAddress } from './webhook-address';
import {
  channelOf,
  classifyResponse,
  describeFault,
  hostResponseOf,
  MAYBE_ACCEPTED,
  THREAD_NEEDED,
  THREAD_NOT_ALLOWED,
  type DiscordAnswer,
} from './discord-answer';
import { cut, type DiscordMessage } from './discord-message';
import { createHostPauses } from './host-pauses';

/**
 * How long Discord may take to answer a message. It answers within a second, but during its incidents it has accepted
 * messages and answered after ten seconds and more (discord/discord-api-docs and discord.js, "Repeat messages sent while
 * API response times are high").
 */
const DISCORD_ANSWER_MS = 30 * SECOND;
/** Shorter: an admin waits while a webhook is confirmed. */
const VERIFY_WITHIN_MS = 10 * SECOND;
/** One per concurrent delivery, so that hanging requests do not block the others. */
const CONNECTIONS_PER_HOST = 256;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Discord docs, "Channel resource", Channel Object, name. */
const THREAD_NAME_LIMIT = 100;
const MAX_REMEMBERED_FORUMS = 1_000;

export interface DiscordWebhooks {
  /** Reads the webhook without posting anything. */
  verify(address: WebhookAddress): Promise<DiscordAnswer>;
  /** Posts a message. In a forum channel, which accepts messages only in threads, creates a thread for it. */
  post(address: WebhookAddress, message: DiscordMessage): Promise<DiscordAnswer>;
  edit(address: WebhookAddress, messageId: string, message: DiscordMessage): Promise<DiscordAnswer>;
  close(): Promise<void>;
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

/** `thread_name`: creates a thread of this name for the message (Discord docs, "Webhook resource", Execute Webhook). */
type PostedMessage = DiscordMessage & { thread_name?: string };

interface WebhookRequest {
  method: 'GET' | 'POST' | 'PATCH';
  /** Relative to the webhook's endpoint. */
  path: string;
  message: PostedMessage | null;
}

/** The address of a request, including the webhook's thread. */
function urlOf({ endpoint, threadId }: WebhookAddress, { method, path }: WebhookRequest): string {
  const query = [
    ...(method === 'POST' ? ['wait=true'] : []),
    ...(threadId === null || method === 'GET' ? [] : [`thread_id=${threadId}`]),
  ];
  return `${endpoint}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/**
 * The client of Discord's webhook endpoints over kept-alive connections. Redirects are never followed. While Discord's
 * edge blocks this machine, requests to that host are not sent and answer `retry`.
 * `appUrl` names us in the User-Agent, without which Discord's edge may refuse (Discord docs, "Reference", User Agent).
 * `answerWithinMs`: how long a message may take; `now`: the clock of the pauses, in epoch ms.
 */
export function createDiscordWebhooks({
  appUrl,
  answerWithinMs = DISCORD_ANSWER_MS,
  now = systemClock.now,
}: {
  appUrl: string;
  answerWithinMs?: number;
  now?: () => number;
}): DiscordWebhooks {
  const client = createHttpClient({
    connections: CONNECTIONS_PER_HOST,
    keepAliveTimeout: 60 * SECOND,
    connect: { timeoutMs: 5 * SECOND },
  });
  const userAgent = `DiscordBot (${appUrl}, 1.0) ${PRODUCT_NAME}`;
  const pauses = createHostPauses({ now });
  /** The ids of webhooks whose channels accept messages only in threads. */
  const forums = new Set<string>();

  async function send(
    address: WebhookAddress,
    wanted: WebhookRequest,
  ): Promise<{ answer: DiscordAnswer; text: string }> {
    const { method, message } = wanted;
    const url = urlOf(address, wanted);
    const host = pauses.begin(address.host);
    if (host.waitMs > 0)
      return {
        text: '',
        answer: {
          kind: 'retry',
          status: 429,
          waitMs: host.waitMs,
          limited: 'receiver',
          reason: 'Discord is blocking the address of this server (429 without a retry time)',
        },
      };
    const withinMs = method === 'GET' ? Math.min(VERIFY_WITHIN_MS, answerWithinMs) : answerWithinMs;
    const began = performance.now();
    const controller = new AbortController();
    const timer = startTimer(() => controller.abort(), withinMs);
    let responded: number | null = null;
    try {
      const { statusCode, headers, body } = await client.request(url, {
        method,
        headers: {
          'user-agent': userAgent,
          ...(message === null ? {} : { 'content-type': 'application/json' }),
        },
        body: message === null ? null : JSON.stringify(message),
        signal: controller.signal,
      });
      responded = statusCode;
      // An accepted message is posted even if the rest of the response is lost; only its id is then unknown.
      const isAccepted = method === 'POST' && statusCode >= 200 && statusCode < 300;
      const text = await readLimited(body, { maxBytes: MAX_ANSWER_BYTES }).catch((error: unknown) => {
        if (isAccepted) return '';
        throw error;
      });
      const answer = classifyResponse({
        status: statusCode,
        headers,
        text,
        wasEdit: method === 'PATCH',
        inThread: address.threadId !== null,
        ms: Math.round(performance.now() - began),
      });
      const waitMs = host.end(hostResponseOf(answer));
      if (answer.kind !== 'blocked') return { answer, text };
      const { status, reason } = answer;
      return { answer: { kind: 'retry', status, waitMs, limited: 'receiver', reason }, text };
    } catch (error) {
      host.end('unknown');
      const mayBeAccepted = responded === null ? !failedToConnect(error) : MAYBE_ACCEPTED.has(responded);
      const reason = describeFault(error, withinMs);
      return {
        answer: { kind: 'retry', status: responded, reason, uncertain: method === 'POST' && mayBeAccepted },
        text: '',
      };
    } finally {
      clearTimeout(timer);
    }
  }

  const postTo = (address: WebhookAddress, message: PostedMessage) =>
    send(address, { method: 'POST', path: '', message });

  async function postInNewThread(address: WebhookAddress, message: DiscordMessage): Promise<DiscordAnswer> {
    const name = cut(message.embeds[0]?.title ?? PRODUCT_NAME, THREAD_NAME_LIMIT);
    const { answer, text } = await postTo(address, { ...message, thread_name: name });
    if (answer.kind !== 'ok') return answer;
    const newThreadId = channelOf(text);
    return newThreadId === null ? answer : { ...answer, newThreadId };
  }

  const failedWith = (answer: DiscordAnswer, code: number): boolean =>
    answer.kind === 'rejected' && 'code' in answer && answer.code === code;

  return {
    verify: async (address) => (await send(address, { method: 'GET', path: '', message: null })).answer,
    async post(address, message) {
      if (forums.has(address.id) && address.threadId === null) {
        const answer = await postInNewThread(address, message);
        if (!failedWith(answer, THREAD_NOT_ALLOWED)) return answer;
        // The webhook was moved to another channel.
        forums.delete(address.id);
      }
      const { answer } = await postTo(address, message);
      if (address.threadId !== null || !failedWith(answer, THREAD_NEEDED)) return answer;
      if (forums.size < MAX_REMEMBERED_FORUMS) forums.add(address.id);
      return postInNewThread(address, message);
    },
    edit: async (address, messageId, message) =>
      (await send(address, { method: 'PATCH', path: `/messages/${messageId}`, message })).answer,
    close: () => client.destroy(),
  };
}
