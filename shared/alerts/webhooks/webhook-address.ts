import { DomainError } from '../../errors';

export interface WebhookAddress {
  id: string;
  token: string;
  /** Rebuilt from validated parts; the only form that is requested. */
  url: string;
}

/** Discord's path: an optional API version, a numeric id and a token (Discord docs, "Webhook resource", Execute Webhook). */
const WEBHOOK_PATH = /^\/api(?<version>\/v\d{1,2})?\/webhooks\/(?<id>\d{1,20})\/(?<token>[\w-]{1,200})\/?$/;
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Parses a webhook URL that a person entered. `allowedHosts`: `host` or `host:port`, lower case. A loopback host may
 * use http, all others must use https. Returns null for anything else.
 */
export function parseWebhookAddress(text: string, allowedHosts: readonly string[]): WebhookAddress | null {
  const trimmed = text.trim();
  // Rejects what a URL parser would silently repair: escapes, backslashes, white space, look-alike characters.
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

/** Like `parseWebhookAddress`, but throws `Invalid` with the message for the form, which names `field`. */
export function requireWebhookAddress(
  text: string,
  allowedHosts: readonly string[],
  field = 'webhook_url',
): WebhookAddress {
  const address = parseWebhookAddress(text, allowedHosts);
  if (address !== null) return address;
  const sentence =
    text.trim() === ''
      ? 'Please enter a Discord webhook URL.'
      : 'This is not a Discord webhook URL. Copy it in Discord under Channel settings, Integrations, Webhooks.';
  throw new DomainError('Invalid', {
    code: 'invalid_webhook',
    message: sentence,
    fieldErrors: { [field]: [sentence] },
  });
}

/** Masks a webhook URL: recognisable, but unusable. */
export function maskWebhook(url: string): string {
  const match = /^(https?:\/\/[^/]+\/api(?:\/v\d+)?\/webhooks\/)(\d+)\/(.*)$/.exec(url);
  if (match === null) return '••••';
  const [, start = '', id = '', token = ''] = match;
  const tail = token.length >= 24 ? token.slice(-4) : '';
  return `${start}${id.slice(0, 4)}…/••••${tail}`;
}
