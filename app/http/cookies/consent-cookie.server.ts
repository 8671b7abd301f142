import { serialize } from 'cookie';
import { DAY, SECOND } from '#shared/clock';
import { decodeConsent, encodeConsent, type Consent } from '#shared/site/consent';
import { readCookies } from './cookies.server';
import { serverContext } from '../server/context.server';

const CONSENT_COOKIE = 'cookie-consent';
const FLAG_COOKIES = { analytics: 'analytics-enabled', marketing: 'marketing-enabled' } as const;
/** How long a browser keeps the choice. */
export const CONSENT_LIFETIME_MS = 365 * DAY;

/** The choice in a Cookie header, or null. `broken`: the cookie is present but unreadable. */
export function findConsent(cookieHeader: string | null | undefined): {
  consent: Consent | null;
  broken: boolean;
} {
  const value = readCookies(cookieHeader).get(CONSENT_COOKIE);
  const consent = value === undefined ? null : decodeConsent(value);
  return { consent, broken: value !== undefined && consent === null };
}

/** The saved choice, or null. An unreadable cookie is logged. */
export function readConsent(request: Request): Consent | null {
  const { consent, broken } = findConsent(request.headers.get('Cookie'));
  if (broken) serverContext().log.warn('consent cookie unreadable, asking again');
  return consent;
}

/**
 * The Set-Cookie headers that store a choice for a year: one cookie for the choice, and a flag cookie for each allowed
 * category. The flag of a rejected category is removed. Scripts can read all of them. `secure`: the site uses https.
 */
export function serializeConsent(consent: Consent, { secure }: { secure: boolean }): string[] {
  const write = (name: string, value: string, maxAge: number) =>
    serialize(name, value, { maxAge, path: '/', sameSite: 'lax', secure, encode: String });
  const maxAgeSeconds = CONSENT_LIFETIME_MS / SECOND;
  return [
    // `encodeConsent` percent-encodes it.
    write(CONSENT_COOKIE, encodeConsent(consent), maxAgeSeconds),
    ...(Object.keys(FLAG_COOKIES) as (keyof typeof FLAG_COOKIES)[]).map((category) =>
      consent[category]
        ? write(FLAG_COOKIES[category], 'true', maxAgeSeconds)
        : write(FLAG_COOKIES[category], '', 0),
    ),
  ];
}
