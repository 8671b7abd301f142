import type { Config } from '#shared/config.server';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Headers of every answer of the process, files included. They and the next are set by the server hook and nowhere else;
 * an answer without a Content-Security-Policy of its own gets `NO_DOCUMENT_POLICY` there.
 */
export function everyAnswerHeaders(config: Pick<Config, 'appUrl'>): Record<string, string> {
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

/** Addresses under /auth/ may hold a token or a code; no other site is told of them, and no other page of ours. */
export function referrerPolicy(path: string): string {
  return /^\/auth(\/|$)/i.test(path) ? 'no-referrer' : 'strict-origin-when-cross-origin';
}

/** What an answer that is no page may do: nothing. */
export const NO_DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * The Content-Security-Policy of our pages. `scripts` admit the page's own inline scripts, by nonce or by hash.
 * `development` also admits the dev server's style elements and its socket. `formTargets` are origins that a form of
 * ours may lead on to: browsers hold the redirects that follow a form to this list as well. `images` are further sources
 * of pictures.
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
