import { z } from 'zod';
import { SECOND } from '../../clock';
import type { Answer } from '../../outbox/outcome';
import { firstCharacters } from '../../text';
import type { HostResponse } from './host-pauses';
import { retryAfterMs } from './retry-after';

/** Discord's response, classified by what to do next. */
export type DiscordAnswer = Answer<PostedByDiscord, 'webhook' | 'message'>;

/** The known facts of an accepted message. */
export interface PostedByDiscord {
  messageId: string | null;
  ms: number;
  /** The thread that was made for the message, because its channel takes messages in threads only. */
  newThreadId?: string;
}

/** A whole response to a request for a webhook. */
export interface DiscordResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Whether the request was to edit a message. */
  wasEdit: boolean;
  /** Whether the request named a thread. */
  inThread: boolean;
  /** How long it took, in ms. */
  ms: number;
}

/** Discord's JSON error codes (Discord docs, "Opcodes and status codes", JSON). */
const UNKNOWN_CHANNEL = 10_003;
const UNKNOWN_MESSAGE = 10_008;
const TAG_REQUIRED = 40_067;
const THREAD_ARCHIVED = 50_083;
const THREAD_LOCKED = 160_005;
/** "Webhooks posted to forum channels must have a thread_name or thread_id". */
export const THREAD_NEEDED = 220_001;
/** "Webhooks can only create threads in forum channels". */
export const THREAD_NOT_ALLOWED = 220_003;

/**
 * A gateway got no answer, or none that it understands, from the server that it had passed the message on to
 * (RFC 9110, section 15.6.5; developers.cloudflare.com, "Cloudflare 5xx errors", 520 and 524).
 */
export const MAYBE_ACCEPTED = new Set([504, 520, 524]);

const messageSchema = z.object({ id: z.string().regex(/^\d{1,25}$/) });
const channelSchema = z.object({ channel_id: z.string().regex(/^\d{1,20}$/) });
/** The error object of Discord's answers (Discord docs, "Opcodes and status codes", JSON). */
export const errorSchema = z.object({
  message: z.string().optional(),
  code: z.number().optional(),
  global: z.boolean().optional(),
});

/** The value of a JSON text; null for another text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Why a request got no whole answer. */
export function describeFault(error: unknown, withinMs: number): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return `no answer (${error.code})`;
  return error instanceof Error && error.name === 'AbortError'
    ? `no answer within ${withinMs / SECOND} s`
    : 'no answer';
}

/** Describes an answer with Discord's code, for logs and admins. */
export function describeAnswer(status: number, fault: z.output<typeof errorSchema>): string {
  const words =
    fault.message === undefined ? '' : `: ${firstCharacters(fault.message.replace(/\p{Cc}+/gu, ' '), 200)}`;
  const code = fault.code === undefined ? '' : ` (code ${fault.code})`;
  return `Discord answered ${status}${code}${words}`;
}

/** The advice to admins about a refusal that concerns a thread; empty for others. */
function adviceOn(code: number | undefined, inThread: boolean): string {
  if (code === UNKNOWN_CHANNEL && inThread)
    return '. The thread of this webhook was deleted: set the webhook again with the thread_id of another thread';
  if (code === THREAD_ARCHIVED || code === THREAD_LOCKED)
    return '. Open the thread again in Discord, or set the webhook with the thread_id of another thread';
  if (code === THREAD_NEEDED || code === TAG_REQUIRED)
    return '. Add "?thread_id=" and the id of a thread of this channel to the webhook URL';
  return '';
}

function goneOf({ status, wasEdit, inThread }: DiscordResponse, code: number | undefined) {
  if (status === 404) {
    const isMessage =
      code === undefined || code === UNKNOWN_MESSAGE || (code === UNKNOWN_CHANNEL && inThread);
    return wasEdit && isMessage ? 'message' : 'webhook';
  }
  // A message in a locked thread cannot be edited, but its webhook works.
  if ((status === 401 || status === 403) && !(wasEdit && code === THREAD_LOCKED)) return 'webhook';
  return null;
}

/** An answer, with Discord's code of a refusal; or the edge in front of Discord refuses this machine. */
type Response =
  | Exclude<DiscordAnswer, { kind: 'rejected' }>
  | (Extract<DiscordAnswer, { kind: 'rejected' }> & { code?: number })
  | { kind: 'blocked'; status: number; reason: string };

/** Classifies a response. `blocked`: the edge in front of Discord refuses this machine (429 without a time, foreign 403). */
export function classifyResponse(response: DiscordResponse): Response {
  const { status, headers, text, ms } = response;
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    const message = messageSchema.safeParse(body);
    return { kind: 'ok', status, messageId: message.success ? message.data.id : null, ms };
  }
  const fault = errorSchema.safeParse(body).data ?? {};
  const reason = `${describeAnswer(status, fault)}${adviceOn(fault.code, response.inThread)}`;
  if (status === 429) {
    const waitMs = retryAfterMs(headers, body, Date.now());
    if (waitMs === null) return { kind: 'blocked', status, reason };
    const isGlobal = fault.global === true || headers['x-ratelimit-global'] === 'true';
    return { kind: 'retry', status, waitMs, limited: isGlobal ? 'all' : 'receiver', reason };
  }
  if (status === 403 && body === null) return { kind: 'blocked', status, reason };
  if (status >= 500 || status === 408)
    return { kind: 'retry', status, reason, uncertain: !response.wasEdit && MAYBE_ACCEPTED.has(status) };
  const what = goneOf(response, fault.code);
  if (what !== null) return { kind: 'gone', status, reason, what };
  return { kind: 'rejected', status, reason, ...(fault.code !== undefined && { code: fault.code }) };
}

/** The channel of a posted message, which is its thread if it has one; null when the response does not say. */
export function channelOf(text: string): string | null {
  return channelSchema.safeParse(parseJson(text)).data?.channel_id ?? null;
}

/** The effect of an answer on the host's pauses. */
export function hostResponseOf(answer: Response): HostResponse {
  switch (answer.kind) {
    case 'blocked':
      return 'blocked';
    case 'retry':
      return answer.limited === undefined ? 'unknown' : 'invalid';
    case 'rejected':
    case 'gone':
      return answer.status === 401 || answer.status === 403 ? 'invalid' : 'answered';
    case 'ok':
      return 'answered';
  }
}
