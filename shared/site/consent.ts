/** The allowed categories of cookies. Necessary ones cannot be refused. */
export interface Consent {
  necessary: true;
  analytics: boolean;
  marketing: boolean;
}

/** The initial state of the checkboxes. It allows nothing: only a saved choice counts. */
export const DEFAULT_CONSENT: Consent = { necessary: true, analytics: true, marketing: false };

/** Encodes the cookie's value: JSON, percent-encoded because a cookie's value cannot contain quotes or commas. */
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

/** Decodes the cookie's value; null if it is invalid. */
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
