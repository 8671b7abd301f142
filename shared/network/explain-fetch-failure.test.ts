import { getSystemErrorMap } from 'node:util';
import { errors } from 'undici';
import { expect, test } from 'vitest';
import { explainFetchFailure } from './explain-fetch-failure';

const explain = (code: string): string =>
  explainFetchFailure(Object.assign(new Error('failed'), { code }), new URL('https://shop.example/'));

/** OpenSSL's codes of certificates, as Node names them (nodejs.org, "TLS", X509 certificate error codes). */
const CERTIFICATES =
  `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
  CERT_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED ERROR_IN_CERT_NOT_BEFORE_FIELD
  ERROR_IN_CERT_NOT_AFTER_FIELD DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA
  PATH_LENGTH_EXCEEDED INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH
  ERR_TLS_CERT_ALTNAME_INVALID`.split(/\s+/);

test('each failure of a certificate, of a name and of undici has a sentence of its kind', () => {
  const undici = Object.values(errors).flatMap((Type) => {
    const error = new (Type as new (...args: unknown[]) => Error)('failed', 500, {});
    return 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  });
  expect(undici.length).toBeGreaterThan(10);
  const sockets = [
    'ECONNRESET',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EMFILE',
  ];
  const names = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_BADFLAGS', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED'];
  const protocols = ['HPE_INVALID_CONSTANT', 'ERR_HTTP2_STREAM_ERROR', 'ERR_SSL_WRONG_VERSION_NUMBER'];
  const families = ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'Z_DATA_ERROR'];
  for (const code of [...CERTIFICATES, ...sockets, ...names, ...protocols, ...families])
    expect([code, explain(code)]).toEqual([code, expect.not.stringContaining('the connection failed')]);
});

test('a code that is not listed, and an error without one, is named', () => {
  for (const [, [name]] of getSystemErrorMap())
    expect(explain(name)).toMatch(/^shop\.example could not be fetched: [^(]{5,}( \([A-Z0-9_]+\))?\.$/);
  expect(explain('constructor')).toBe(
    'shop.example could not be fetched: the connection failed (constructor).',
  );
  expect(explainFetchFailure(new TypeError('x'), new URL('https://shop.example/'))).toContain('(TypeError)');
});
