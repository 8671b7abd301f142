import { serialize } from 'cookie';
import { DAY, SECOND } from '#shared/clock';
import { decodeConsent, encodeConsent, type Consent } from '~/components/consent/consent';
import { readCookies } from './cookies.server';
import { serverContext } from '../server/context.server';

const CONSENT_COOKIE = 'cookie-consent';
const FLAG_COOKIES = { analytics: 'analytics-enabled', marketing: 'marketing-enabled' } as const;
/** How long a browser keeps the choice. */
export const CONSENT_KEPT_MS = 365 * DAY;

/** The choice in a Cookie header; null when there is none. `broken`: there is one, and it cannot be read. */
export function findConsent(cookieHeader: string | null | undefined): {
  consent: Consent | null;
  broken: boolean;
} {
  const value = readCookies(cookieHeader).get(CONSENT_COOKIE);
  const consent = value === undefined ? null : decodeConsent(value);
  return { consent, broken: value !== undefined && consent === null };
}

/** The saved choice; null when there is none, or none that can be read, which is logged. */
export function readConsent(request: Request): Consent | null {
  const { consent, broken } = findConsent(request.headers.get('Cookie'));
  if (broken) serverContext().log.warn('consent cookie unreadable, asking again');
  return consent;
}

/**
 * The Set-Cookie headers that keep a choice for a year: the choice itself, and a flag per allowed category;
 * the flag of a refused one is removed. Scripts may read them. `secure` when the site is served over https.
 */
export function rememberConsent(consent: Consent, { secure }: { secure: boolean }): string[] {
  const write = (name: string, value: string, maxAge: number) =>
    serialize(name, value, { maxAge, path: '/', sameSite: 'lax', secure, encode: String });
  const keptSeconds = CONSENT_KEPT_MS / SECOND;
  return [
    // Encoded already.
    write(CONSENT_COOKIE, encodeConsent(consent), keptSeconds),
    ...(Object.keys(FLAG_COOKIES) as (keyof typeof FLAG_COOKIES)[]).map((category) =>
      consent[category]
        ? write(FLAG_COOKIES[category], 'true', keptSeconds)
        : write(FLAG_COOKIES[category], '', 0),
    ),
  ];
}
