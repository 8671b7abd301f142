import { DAY, SECOND } from '#shared/clock';
import { decodeConsent, encodeConsent, type Consent } from '~/components/consent/consent';
import { requestIdOf } from './request-id.server';
import { serverContext } from './server-context.server';

export const CONSENT_COOKIE = 'cookie-consent';
const FLAG_COOKIES = { analytics: 'analytics-enabled', marketing: 'marketing-enabled' } as const;
const KEPT_SECONDS = (365 * DAY) / SECOND;

function findCookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [key, ...rest] = pair.split('=');
    if (key?.trim() === name) return rest.join('=').trim();
  }
  return null;
}

/** The saved choice; null when there is none, or none that can be read, which is logged. */
export function readConsent(request: Request): Consent | null {
  const value = findCookie(request, CONSENT_COOKIE);
  if (value === null) return null;
  const consent = decodeConsent(value);
  if (consent === null)
    serverContext().log.warn({ requestId: requestIdOf(request) }, 'consent cookie unreadable, asking again');
  return consent;
}

/**
 * The Set-Cookie headers that keep a choice for a year: the choice itself, and a flag per allowed category;
 * the flag of a refused one is removed. Scripts may read them. `secure` when the site is served over https.
 */
export function rememberConsent(consent: Consent, { secure }: { secure: boolean }): string[] {
  const attributes = `Path=/; SameSite=Lax${secure ? '; Secure' : ''}`;
  const kept = (name: string, value: string) => `${name}=${value}; Max-Age=${KEPT_SECONDS}; ${attributes}`;
  return [
    kept(CONSENT_COOKIE, encodeConsent(consent)),
    ...(Object.keys(FLAG_COOKIES) as (keyof typeof FLAG_COOKIES)[]).map((category) =>
      consent[category]
        ? kept(FLAG_COOKIES[category], 'true')
        : `${FLAG_COOKIES[category]}=; Max-Age=0; ${attributes}`,
    ),
  ];
}
