import { DomainError } from '../../errors';
import { isLoopbackHost } from '../../loopback';

export interface WebhookAddress {
  /** `host` or `host:port`. */
  host: string;
  id: string;
  token: string;
  /** The thread of the channel that messages go to; null: the channel itself. */
  threadId: string | null;
  /** Rebuilt from validated parts, without the thread; the only form that is requested. */
  endpoint: string;
  /** The endpoint with its thread, as it is stored. */
  url: string;
}

/** Discord's path: an optional API version, a numeric id and a token (Discord docs, "Webhook resource", Execute Webhook). */
const WEBHOOK_PATH = /^\/api(?<version>\/v\d{1,2})?\/webhooks\/(?<id>\d{1,20})\/(?<token>[\w-]{1,200})\/?$/;
const THREAD_ID = /^\d{1,20}$/;

const NO_WEBHOOK =
  'This is not a Discord webhook URL. Copy it in Discord under Channel settings, Integrations, Webhooks.';
const FRAGMENT = 'Remove "#" and what follows it from the webhook URL.';
const OTHER_PARAMETER =
  'Only "?thread_id=" with the id of a thread may follow a webhook URL. Remove the other parameters.';
const NO_THREAD =
  'The thread_id of a webhook URL is the number of a thread. Copy it in Discord with "Copy Thread ID" (Developer Mode, in the menu of the thread).';

/** The sealed form of an address: its endpoint, and the thread that messages go to. */
export function withThread(endpoint: string, threadId: string | null): string {
  return threadId === null ? endpoint : `${endpoint}?thread_id=${threadId}`;
}

/** The thread that a query names (null: none), or why the query is refused. */
function readThread(query: string): { threadId: string | null } | { refusal: string } {
  if (query === '') return { threadId: null };
  const parameters = query.split('&').map((parameter) => parameter.split('='));
  if (parameters.length !== 1 || parameters[0]?.[0] !== 'thread_id') return { refusal: OTHER_PARAMETER };
  const [, threadId = '', ...more] = parameters[0];
  return more.length === 0 && THREAD_ID.test(threadId) ? { threadId } : { refusal: NO_THREAD };
}

/** Reads a webhook URL, or says in a sentence why it is refused. */
function readAddress(
  text: string,
  allowedHosts: readonly string[],
): { address: WebhookAddress } | { refusal: string } {
  const trimmed = text.trim();
  // Rejects what a URL parser would silently repair: escapes, backslashes, white space, look-alike characters.
  const isPlain = /^https?:\/\/[!-~]+$/i.test(trimmed) && !/[%\\@]/.test(trimmed);
  const url = isPlain ? URL.parse(trimmed) : null;
  if (url === null) return { refusal: NO_WEBHOOK };
  if (!allowedHosts.includes(url.host)) return { refusal: NO_WEBHOOK };
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) return { refusal: NO_WEBHOOK };
  const parts = WEBHOOK_PATH.exec(url.pathname)?.groups;
  if (parts?.id === undefined || parts.token === undefined) return { refusal: NO_WEBHOOK };
  if (trimmed.includes('#')) return { refusal: FRAGMENT };
  const thread = readThread(url.search.slice(1));
  if ('refusal' in thread) return thread;
  const endpoint = `${url.origin}/api${parts.version ?? ''}/webhooks/${parts.id}/${parts.token}`;
  const { threadId } = thread;
  return {
    address: {
      host: url.host,
      id: parts.id,
      token: parts.token,
      threadId,
      endpoint,
      url: withThread(endpoint, threadId),
    },
  };
}

/**
 * Parses a webhook URL that a person entered, with or without `?thread_id=`. `allowedHosts`: `host` or `host:port`, lower
 * case. A loopback host may use http, all others must use https. Returns null for anything else.
 */
export function parseWebhookAddress(text: string, allowedHosts: readonly string[]): WebhookAddress | null {
  const read = readAddress(text, allowedHosts);
  return 'address' in read ? read.address : null;
}

/** Like `parseWebhookAddress`, but throws `Invalid` with the message for the form, which names `field`. */
export function requireWebhookAddress(
  text: string,
  allowedHosts: readonly string[],
  field = 'webhook_url',
): WebhookAddress {
  const read = readAddress(text, allowedHosts);
  if ('address' in read) return read.address;
  const sentence = text.trim() === '' ? 'Please enter a Discord webhook URL.' : read.refusal;
  throw new DomainError('Invalid', {
    code: 'invalid_webhook',
    message: sentence,
    fieldErrors: { [field]: [sentence] },
  });
}

/** Masks a webhook URL: recognisable, but unusable. A thread's id is no secret. */
export function maskWebhook(url: string): string {
  const match = /^(https?:\/\/[^/]+\/api(?:\/v\d+)?\/webhooks\/)(\d+)\/([^?]*)(\?thread_id=\d+)?$/.exec(url);
  if (match === null) return '••••';
  const [, start = '', id = '', token = '', thread = ''] = match;
  const tail = token.length >= 24 ? token.slice(-4) : '';
  return `${start}${id.slice(0, 4)}…/••••${tail}${thread}`;
}
