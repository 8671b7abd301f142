import { SECOND } from '#shared/clock';

/**
 * Headers of an interstitial that redirects after `delayMs`. Browsers without scripts follow Refresh, in whole seconds
 * (html.spec.whatwg.org, "shared declarative refresh steps", ignores fractions).
 */
export function interstitialHeaders(path: string, delayMs: number): Record<string, string> {
  return {
    Refresh: `${Math.ceil(delayMs / SECOND)}; url=${path}`,
    'Cache-Control': 'no-store',
  };
}
