import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Key {
  accessKeyId: string;
  secretAccessKey: string;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** As `encodeURIComponent`, and the characters that RFC 3986 reserves beside it. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** What the Authorization header, or the query of a presigned address, says. */
function readCredentials({ headers }: IncomingMessage, query: URLSearchParams) {
  const header = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  );
  if (header !== null)
    return {
      credential: header[1] ?? '',
      signedHeaders: header[2] ?? '',
      signature: header[3],
      date: String(headers['x-amz-date']),
      payload: String(headers['x-amz-content-sha256']),
      expiresSeconds: 15 * 60,
    };
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature'),
    date: query.get('X-Amz-Date') ?? '',
    payload: 'UNSIGNED-PAYLOAD',
    expiresSeconds: Number(query.get('X-Amz-Expires')),
  };
}

/**
 * Checks a request as S3 does (S3 API reference, "Authenticating Requests: AWS Signature Version 4"). Returns the code of
 * the refusal, or null.
 */
export function refusalOfSignature(request: IncomingMessage, body: Buffer, key: S3Key): string | null {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3.invalid');
  const signed = readCredentials(request, searchParams);
  const [accessKeyId, day = '', region = '', service = ''] = signed.credential.split('/');
  if (accessKeyId === '') return 'AccessDenied';
  if (accessKeyId !== key.accessKeyId) return 'InvalidAccessKeyId';

  const issued = Date.parse(
    signed.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  if (!(Date.now() - issued < signed.expiresSeconds * 1_000)) return 'AccessDenied';

  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const names = signed.signedHeaders.split(';');
  const canonical = [
    request.method,
    pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed.signedHeaders,
    signed.payload,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${signed.date}\n${scope}\n${sha256(canonical)}`;
  const signingKey = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (last, part) => hmac(last, part),
    Buffer.from(`AWS4${key.secretAccessKey}`),
  );
  if (hmac(signingKey, text).toString('hex') !== signed.signature) return 'SignatureDoesNotMatch';
  if (/^[\da-f]{64}$/.test(signed.payload) && sha256(body) !== signed.payload)
    return 'XAmzContentSHA256Mismatch';
  return null;
}
