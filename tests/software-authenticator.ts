import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Flags of authenticator data (WebAuthn Level 3, section 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');

/** What an answer may be forged by. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  /** Whether the authenticator checked who its user is. */
  verified?: boolean;
  /** In place of the challenge of the options. */
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  userHandle?: string | null;
  /** Changes the signed data after it was signed. */
  broken?: boolean;
}

/** An authenticator in this process: it makes passkeys of ES256 and signs with them, as a browser would pass that on. */
export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #aaguid: string;
  readonly credentialId = base64url(randomBytes(32));
  /** Before the next answer; 0 stays: a passkey that is synced. */
  counter: number;
  #userHandle = '';

  constructor({
    counter = 0,
    aaguid = '00000000-0000-0000-0000-000000000000',
  }: { counter?: number; aaguid?: string } = {}) {
    this.counter = counter;
    this.#aaguid = aaguid;
  }

  #data(rpId: string, flags: number, rest: Uint8Array = new Uint8Array()): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.of(flags), counter, rest]);
  }

  /** The answer to the options of a new passkey, as JSON. `attestation`: in place of none. */
  create(
    options: { challenge: string; rp: { id?: string }; user: { id: string } },
    {
      origin = `https://${options.rp.id}`,
      rpId = options.rp.id ?? '',
      verified = true,
      challenge = options.challenge,
      type = 'webauthn.create',
      attestation = { fmt: 'none', attStmt: new Map() },
    }: Forgery & { attestation?: { fmt: string; attStmt: Map<string, unknown> } } = {},
  ): string {
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const aaguid = Buffer.from(this.#aaguid.replaceAll('-', ''), 'hex');
    const flags = USER_PRESENT | HAS_CREDENTIAL | (verified ? USER_VERIFIED : 0);
    const authData = this.#data(rpId, flags, Buffer.concat([aaguid, length, id, cose]));
    const attestationObject = isoCBOR.encode(
      new Map<string, never>([
        ['fmt', attestation.fmt as never],
        ['attStmt', attestation.attStmt as never],
        ['authData', new Uint8Array(authData) as never],
      ]),
    );
    return JSON.stringify({
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false })),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    });
  }

  /** The answer to the options of a sign-in, as JSON. */
  signIn(
    options: { challenge: string; rpId?: string },
    {
      origin = `https://${options.rpId}`,
      rpId = options.rpId ?? '',
      verified = true,
      challenge = options.challenge,
      type = 'webauthn.get',
      crossOrigin = false,
      userHandle = this.#userHandle,
      broken = false,
    }: Forgery = {},
  ): string {
    if (this.counter > 0) this.counter += 1;
    const authData = this.#data(rpId, USER_PRESENT | (verified ? USER_VERIFIED : 0));
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    if (broken) authData[36] = (authData[36] ?? 0) ^ 1;
    return JSON.stringify({
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        ...(userHandle !== null && { userHandle }),
      },
      clientExtensionResults: {},
    });
  }
}
