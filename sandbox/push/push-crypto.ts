import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto';
import { z } from 'zod';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const DAY_SECONDS = 24 * 60 * 60;
/** Salt, record size and the length of the key id (RFC 8188, section 2.1). */
const HEADER_BYTES = 16 + 4 + 1;
const TAG_BYTES = 16;

/** The keys of a browser's subscription (RFC 8291, section 3.1). */
export interface BrowserKeys {
  ecdh: ECDH;
  auth: Buffer;
}

export function createBrowserKeys(): BrowserKeys {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
}

/** The keys as `PushSubscription.toJSON()` has them. */
export function publicKeysOf({ ecdh, auth }: BrowserKeys): { p256dh: string; auth: string } {
  return { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/**
 * Decrypts a message (RFC 8291, section 4; RFC 8188, section 2). Throws if it is not encrypted for these keys or is not
 * exactly one record.
 */
export function decryptMessage({ ecdh, auth }: BrowserKeys, body: Buffer): string {
  const keyLength = body[HEADER_BYTES - 1] ?? 0;
  const sender = body.subarray(HEADER_BYTES, HEADER_BYTES + keyLength);
  const record = body.subarray(HEADER_BYTES + keyLength);
  if (keyLength !== POINT_BYTES || record.length <= TAG_BYTES)
    throw new Error('the header of the encrypted message is invalid');
  if (record.length > body.readUInt32BE(16)) throw new Error('the message has more than one record');
  const salt = body.subarray(0, 16);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  // The delimiter of the last record is 2.
  if (padded[end] !== 2) throw new Error('the padding of the message is invalid');
  return padded.subarray(0, end).toString('utf8');
}

const claimsSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string().optional() });

function parsePart(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function publicKeyOf(point: Buffer) {
  return createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}

/** Checks the token's signature (RFC 8292, sections 2 and 3). Returns its claims, and the key that signed it. */
function readToken(header: string): { claims: z.output<typeof claimsSchema>; key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/i.exec(header) ?? [];
  const point = Buffer.from(key, 'base64url');
  if (point.length !== POINT_BYTES || point[0] !== 4) throw new Error('no vapid token and key');
  const [head = '', body = '', signature = ''] = token.split('.');
  if (z.object({ alg: z.literal('ES256') }).safeParse(parsePart(head)).error) throw new Error('no ES256');
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKeyOf(point), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) throw new Error('the signature is invalid');
  const claims = claimsSchema.safeParse(parsePart(body));
  if (claims.error) throw new Error('aud or exp is missing');
  return { claims: claims.data, key };
}

/** Checks `Authorization` headers of pushes. Returns the key that signed the token, base64url; throws with the reason. */
export function createVapidCheck() {
  /** The last valid token: a sender uses one for hours, and a signature is slow to verify. */
  let last: { header: string; token: ReturnType<typeof readToken> } | null = null;

  return (header: string, { origin, now }: { origin: string; now: number }): string => {
    const token = last?.header === header ? last.token : readToken(header);
    last = { header, token };
    const { aud, exp, sub } = token.claims;
    if (aud !== origin) throw new Error(`aud is ${aud}, not ${origin}`);
    if (exp * 1_000 <= now) throw new Error('the token has expired');
    if (exp * 1_000 > now + DAY_SECONDS * 1_000) throw new Error('exp is more than 24 hours ahead');
    if (sub !== undefined && !/^(mailto:.+@|https:)/.test(sub)) throw new Error('sub is no mailto or https');
    return token.key;
  };
}
