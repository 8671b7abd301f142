const UNCHANGED = 'You are not signed in, and nothing was changed.';
const OUR_SETTINGS =
  'Discord rejects sign-ins from this site because of the site’s Discord settings. This is not your fault. Use email and password, or tell the people who run this site.';
const DISCORD_DOWN = 'Discord could not answer. Wait a minute and try again, or use email and password.';

/** The error codes of OAuth 2.0 (RFC 6749, section 4.1.2.1) and of OpenID Connect (Core 1.0, section 3.1.2.6). */
const NEXT_STEPS: ReadonlyMap<string, string> = new Map([
  [
    'access_denied',
    'You cancelled at Discord or denied access. Try again and press Authorise there, or use email and password.',
  ],
  ['server_error', DISCORD_DOWN],
  ['temporarily_unavailable', DISCORD_DOWN],
  ['invalid_request', OUR_SETTINGS],
  ['invalid_client', OUR_SETTINGS],
  ['invalid_scope', OUR_SETTINGS],
  ['unauthorized_client', OUR_SETTINGS],
  ['unsupported_response_type', OUR_SETTINGS],
  ['login_required', 'Sign in at Discord first, then try again here.'],
  ['interaction_required', 'Try again, and answer what Discord asks.'],
  ['consent_required', 'Try again, and press Authorise at Discord.'],
]);

/** The sentence for a Discord `error`, and the next step. `error`: untrusted; null for none. */
export function explainDiscordError(error: string | null): string {
  const step = NEXT_STEPS.get(error ?? '') ?? 'Try again here, or use email and password.';
  return `${step} ${UNCHANGED}`;
}

/** Shown for an address that no sign-in has led to. */
export const NO_SIGN_IN_RETURNED = `This address belongs to a sign-in that was not started here or has already ended. Start again. ${UNCHANGED}`;
