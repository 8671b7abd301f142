import { DomainError } from '../errors';

export interface WebhookAddress {
  id: string;
  token: string;
  /** Rebuilt from its checked parts; the only form that is ever requested. */
  url: string;
}

/** Discord's path: an optional API version, a numeric id and a token (Discord docs, "Webhook resource", Execute Webhook). */
const WEBHOOK_PATH = /^\/api(?<version>\/v\d{1,2})?\/webhooks\/(?<id>\d{1,20})\/(?<token>[\w-]{1,200})\/?$/;
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Reads a webhook address typed by a person. `allowedHosts` are `host` or `host:port`, lower case; a listed
 * loopback host may be http, every other one must be https. Returns null for anything that is not exactly such an address.
 */
export function parseWebhookAddress(text: string, allowedHosts: readonly string[]): WebhookAddress | null {
  const trimmed = text.trim();
  // What a URL parser would quietly mend (escapes, backslashes, white space, letters that look like others) has no place in a webhook address.
  if (!/^https?:\/\/[!-~]+$/i.test(trimmed) || /[%\\@#?]/.test(trimmed) || !URL.canParse(trimmed))
    return null;
  const url = new URL(trimmed);
  if (!allowedHosts.includes(url.host)) return null;
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.host)) return null;
  const parts = WEBHOOK_PATH.exec(url.pathname)?.groups;
  if (parts?.id === undefined || parts.token === undefined) return null;
  return {
    id: parts.id,
    token: parts.token,
    url: `${url.origin}/api${parts.version ?? ''}/webhooks/${parts.id}/${parts.token}`,
  };
}

/** The same, but a refusal is thrown as `Invalid` with the sentence for the form. */
export function requireWebhookAddress(text: string, allowedHosts: readonly string[]): WebhookAddress {
  const address = parseWebhookAddress(text, allowedHosts);
  if (address !== null) return address;
  const sentence =
    text.trim() === ''
      ? 'Please enter a Discord webhook URL.'
      : 'This is not a Discord webhook URL. Copy it in Discord under Channel settings, Integrations, Webhooks.';
  throw new DomainError('Invalid', {
    code: 'invalid_webhook',
    message: sentence,
    fieldErrors: { webhook_url: [sentence] },
  });
}

/** The form shown ever after: enough to recognise it, too little to use it. */
export function maskWebhook(url: string): string {
  const match = /^(https?:\/\/[^/]+\/api(?:\/v\d+)?\/webhooks\/)(\d+)\/(.*)$/.exec(url);
  if (match === null) return '••••';
  const [, start = '', id = '', token = ''] = match;
  const tail = token.length >= 24 ? token.slice(-4) : '';
  return `${start}${id.slice(0, 4)}…/••••${tail}`;
}
