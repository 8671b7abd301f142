import type { Config } from '#shared/config.server';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Headers of every answer of the process, files included. Set by the server hook and nowhere else. */
export function everyAnswerHeaders(config: Pick<Config, 'appUrl'>): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(config.appUrl.startsWith('https:')
      ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains` }
      : {}),
  };
}

/** What an answer that is no page may do: nothing. */
export const NO_DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * The Content-Security-Policy of our pages. `nonce` admits the page's own inline scripts.
 * `development` also admits the dev server's style elements and its socket.
 */
export function pagePolicy({ nonce, development }: { nonce: string; development: boolean }): string {
  const directives = {
    'default-src': "'self'",
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': development ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': "'self' data:",
    'connect-src': development ? "'self' ws:" : "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
