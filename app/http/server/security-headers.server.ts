import type { IncomingMessage, ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import type { Config } from '#shared/config.server';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Headers of every response, files included. */
function commonHeaders(config: Pick<Config, 'appUrl'>): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(config.appUrl.startsWith('https:')
      ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains` }
      : {}),
  };
}

/** Addresses under /auth/ may hold a token or a code, so they are never sent as a referrer. */
function referrerPolicy(path: string): string {
  return /^\/auth(\/|$)/i.test(path) ? 'no-referrer' : 'strict-origin-when-cross-origin';
}

/** The Content-Security-Policy of a response that is not a page: it may load and run nothing. */
export const NO_DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The step that sets the security headers of a response; a page sets a Content-Security-Policy of its own. */
export function createSecurityHeaders(
  config: Pick<Config, 'appUrl'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const headers = Object.entries(commonHeaders(config));
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('Referrer-Policy', referrerPolicy(request.url ?? '/'));
    // Set late, because Remix would append the policy of a page to an existing one.
    onHeaders(response, () => {
      if (!response.hasHeader('Content-Security-Policy'))
        response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY);
    });
  };
}

/**
 * The Content-Security-Policy of our pages. `scripts` allow the page's own inline scripts, by nonce or by hash.
 * `development` also allows the style elements and the web socket of the dev server. `formTargets` are origins that a form of
 * ours may redirect to: browsers apply this list to the redirects of a form as well. `images` are further image sources.
 */
export function pagePolicy({
  scripts,
  development,
  formTargets,
  images = [],
}: {
  scripts: readonly string[];
  development: boolean;
  formTargets: readonly string[];
  images?: readonly string[];
}): string {
  const directives = {
    'default-src': "'self'",
    'script-src': ["'self'", ...scripts].join(' '),
    'style-src': development ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': ["'self'", 'data:', ...images].join(' '),
    // A chosen video file is measured in the browser before it is uploaded.
    'media-src': "'self' blob:",
    'connect-src': development ? "'self' ws:" : "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': ["'self'", ...formTargets].join(' '),
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
