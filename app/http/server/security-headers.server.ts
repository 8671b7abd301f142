import type { IncomingMessage, ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import type { Config, StripeConfig } from '#shared/config.server';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Headers of every response, files included. */
function commonHeaders(config: Pick<Config, 'appUrl'>): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(config.appUrl.startsWith('https:')
      ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains` }
      : {}),
  };
}

/**
 * The Permissions-Policy of a response. `stripe`: the page runs Stripe.js, whose frames may ask the browser for wallets;
 * null for every other response, where nothing may. The page's own origin is named because a page can delegate only its
 * own features to a frame (w3.org/TR/permissions-policy, "Define an inherited policy").
 */
export function permissionsPolicy(stripe: Pick<StripeConfig, 'jsUrl'> | null): string {
  const payment = stripe === null ? '' : `self "${new URL(stripe.jsUrl).origin}"`;
  const passkeys = 'publickey-credentials-create=(self), publickey-credentials-get=(self)';
  return `camera=(), geolocation=(), microphone=(), payment=(${payment}), ${passkeys}, usb=()`;
}

/** Addresses under /auth/ may hold a token or a code, so they are never sent as a referrer. */
function referrerPolicy(path: string): string {
  return /^\/auth(\/|$)/i.test(path) ? 'no-referrer' : 'strict-origin-when-cross-origin';
}

/** The Content-Security-Policy of a response that is not a page: it may not load or run anything. */
export const NO_DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The service worker of `public/`. */
const WORKER_PATH = '/push-worker.js';

/** It may call our API, when the browser renews its push subscription, and show our icon. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'";

/** The step that sets the security headers of a response; a page sets its own Content-Security-Policy. */
export function createSecurityHeaders(
  config: Pick<Config, 'appUrl'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const headers = Object.entries(commonHeaders(config));
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('Referrer-Policy', referrerPolicy(request.url ?? '/'));
    if (request.url === WORKER_PATH) {
      response.setHeader('Content-Security-Policy', WORKER_POLICY);
      // Instead of the hour that remix-serve allows for files of public/.
      response.setHeader('Cache-Control', 'no-cache');
    }
    // Set late, because Remix would append the policies of a page to existing ones.
    onHeaders(response, () => {
      if (!response.hasHeader('Content-Security-Policy'))
        response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY);
      if (!response.hasHeader('Permissions-Policy'))
        response.setHeader('Permissions-Policy', permissionsPolicy(null));
    });
  };
}

/** The sources that Stripe.js needs. */
export interface StripeSources {
  scripts: readonly string[];
  frames: readonly string[];
  connections: readonly string[];
}

/** Stripe's own host for the windows of banks. */
const STRIPE_HOOKS = 'https://hooks.stripe.com';
/** Stripe's hosted Checkout, and its customer portal. */
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com'];

/** What Stripe.js loads (docs.stripe.com/security/guide, "Content security policy"). Its frames come from subdomains. */
export function stripeSources({ jsUrl, apiUrl }: Pick<StripeConfig, 'jsUrl' | 'apiUrl'>): StripeSources {
  const { origin, protocol, host } = new URL(jsUrl);
  const scripts = protocol === 'https:' ? [origin, `https://*.${host}`] : [origin];
  return { scripts, frames: [...scripts, STRIPE_HOOKS], connections: [new URL(apiUrl).origin] };
}

/** The origins of Stripe's pages that our forms redirect to. A stand-in serves its pages from its API origin. */
export function stripePages({ apiUrl }: Pick<StripeConfig, 'apiUrl'>): string[] {
  return [new URL(apiUrl).origin, ...STRIPE_PAGES];
}

/**
 * The Content-Security-Policy of our pages. `scripts` allow the page's own inline scripts, by nonce or by hash.
 * `development` also allows the style elements and the web socket of the dev server. `formTargets` are origins that a form of
 * ours may redirect to: browsers apply this list to the redirects of a form as well. `images` are further image sources.
 * `stripe`: for the payment step, which runs Stripe.js; null for every other page.
 */
export function pagePolicy({
  scripts,
  development,
  formTargets,
  images = [],
  stripe = null,
}: {
  scripts: readonly string[];
  development: boolean;
  formTargets: readonly string[];
  images?: readonly string[];
  stripe?: StripeSources | null;
}): string {
  const directives = {
    'default-src': "'self'",
    'script-src': ["'self'", ...scripts, ...(stripe?.scripts ?? [])].join(' '),
    'style-src': development ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': ["'self'", 'data:', ...images].join(' '),
    // A chosen video file is measured in the browser before it is uploaded.
    'media-src': "'self' blob:",
    'connect-src': ["'self'", ...(development ? ['ws:'] : []), ...(stripe?.connections ?? [])].join(' '),
    ...(stripe !== null && { 'frame-src': stripe.frames.join(' ') }),
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': ["'self'", ...formTargets].join(' '),
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
