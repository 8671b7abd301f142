import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** A failure with a sentence for the visitor. */
export class PasskeyFailure extends Error {}

/** Browsers' errors by name (WebAuthn Level 3, sections 5.1.3 and 5.1.4); the library keeps the names. */
const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was chosen in time. You can try again.',
  InvalidStateError: 'This authenticator already has your passkey.',
  SecurityError: 'Passkeys do not work at this address of the site. Please open it at its usual address.',
  NotSupportedError: 'This authenticator cannot store a passkey for this site. Please try another one.',
  ConstraintError:
    'This authenticator cannot ask for a PIN, a fingerprint or a face. Please set one up, or try another one.',
};

/** Runs a request to the browser. Throws `PasskeyFailure`; returns null when another request of the page replaced it. */
async function ask<Answer>(request: () => Promise<Answer>): Promise<string | null> {
  if (!browserSupportsWebAuthn())
    throw new PasskeyFailure('This browser does not support passkeys. Please use another one.');
  try {
    return JSON.stringify(await request());
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'AbortError') return null;
    throw new PasskeyFailure(SENTENCES[name] ?? 'This did not work. Please try again.');
  }
}

/** Asks for a passkey: in a window of the browser, or with `inFields` in the list that it shows at the email field. */
export function requestPasskey(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  { inFields }: { inFields: boolean },
): Promise<string | null> {
  return ask(() => startAuthentication({ optionsJSON, useBrowserAutofill: inFields }));
}

/** Creates a passkey in the browser. */
export function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<string | null> {
  return ask(() => startRegistration({ optionsJSON }));
}

/** Aborts the current request, if any. */
export function endRequest(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** Tells the browser's password manager that the site no longer knows a passkey, where supported. */
export async function forgetPasskey(passkey: { rpId: string; credentialId: string }): Promise<void> {
  const { PublicKeyCredential: api } = window as Partial<Pick<typeof window, 'PublicKeyCredential'>>;
  if (api === undefined || !('signalUnknownCredential' in api)) return;
  await api.signalUnknownCredential(passkey).catch(() => undefined);
}
