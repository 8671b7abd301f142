/** What the visitor allowed. Necessary cookies cannot be refused. */
export interface Consent {
  necessary: true;
  analytics: boolean;
  marketing: boolean;
}

/** The toggles before anybody touched them. Nothing loads on their word: only a saved choice counts. */
export const DEFAULT_CONSENT: Consent = { necessary: true, analytics: true, marketing: false };

/** What the kept cookie holds: JSON, percent-encoded because a cookie's value may not hold quotes or commas. */
export function encodeConsent(consent: Consent): string {
  return encodeURIComponent(JSON.stringify(consent));
}

function isConsent(value: unknown): value is Consent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'analytics' in value &&
    typeof value.analytics === 'boolean' &&
    'marketing' in value &&
    typeof value.marketing === 'boolean'
  );
}

/** The kept choice, or null when the cookie's value is not one that we wrote. */
export function decodeConsent(value: string): Consent | null {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(value));
    return isConsent(parsed)
      ? { necessary: true, analytics: parsed.analytics, marketing: parsed.marketing }
      : null;
  } catch {
    return null;
  }
}
