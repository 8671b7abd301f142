const NOT_IN_TIME = 'it did not accept the connection in time';
const CUT = 'it cut the connection';
const NO_ROUTE = 'this machine has no route to it';
const NAME_FAILED = 'its name could not be looked up; the name server did not answer';
const NO_NAME = 'its name is not known; check the address';
const NO_AUTHORITY = 'its certificate is not from a known authority';
const BAD_CERTIFICATE = 'its certificate is not valid for a website';
const WEAK_CERTIFICATE = 'its certificate is too weak';
const MISSING_ISSUER =
  'its server does not send the intermediate certificate, which could not be found elsewhere either';
const OLD_TLS = 'it only offers versions of TLS that are no longer secure';
const NO_TLS = 'it does not speak TLS there; perhaps its address begins with http://';
const REFUSED_TLS = 'it refused the secure connection';
const HTTP2_FAILED = 'it interrupted its HTTP/2 answer';
const NO_HTTP = 'its answer is not HTTP';
const LOCAL_FILES = 'this machine has too many open connections';

/** By the codes of Node, OpenSSL, c-ares, undici, and of our own errors. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Names.
    ENOTFOUND: NO_NAME,
    ENODATA: NO_NAME,
    EBADNAME: NO_NAME,
    EAI_NODATA: NO_NAME,
    EAI_NONAME: NO_NAME,
    EAI_AGAIN: NAME_FAILED,
    EAI_FAIL: NAME_FAILED,
    EAI_MEMORY: NAME_FAILED,
    EAI_SYSTEM: NAME_FAILED,
    ESERVFAIL: NAME_FAILED,
    EREFUSED: NAME_FAILED,
    EFORMERR: NAME_FAILED,
    EBADRESP: NAME_FAILED,
    ETIMEOUT: NAME_FAILED,
    // Connections.
    ECONNREFUSED: 'it refused the connection',
    ECONNRESET: CUT,
    ECONNABORTED: CUT,
    EPIPE: CUT,
    UND_ERR_SOCKET: CUT,
    UND_ERR_DESTROYED: CUT,
    UND_ERR_CLOSED: CUT,
    ERR_STREAM_PREMATURE_CLOSE: CUT,
    ETIMEDOUT: NOT_IN_TIME,
    UND_ERR_CONNECT_TIMEOUT: NOT_IN_TIME,
    UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
    UND_ERR_BODY_TIMEOUT: 'its answer did not end in time',
    UND_ERR_ABORTED: 'it did not answer in time',
    ABORT_ERR: 'it did not answer in time',
    EHOSTUNREACH: NO_ROUTE,
    EHOSTDOWN: NO_ROUTE,
    EADDRNOTAVAIL: NO_ROUTE,
    EAFNOSUPPORT: NO_ROUTE,
    EINVAL: NO_ROUTE,
    ENETUNREACH: 'this machine has no network to it',
    ENETDOWN: 'this machine has no network to it',
    EACCES: 'a firewall of this machine forbids the connection',
    EPERM: 'a firewall of this machine forbids the connection',
    EMFILE: LOCAL_FILES,
    ENFILE: LOCAL_FILES,
    ENOBUFS: LOCAL_FILES,
    ENOMEM: LOCAL_FILES,
    ADDRESS_NOT_PUBLIC: 'it is not on the public internet',
    ERR_SOCKET_BAD_PORT: 'its port is invalid',
    // Certificates.
    CERT_HAS_EXPIRED: 'its certificate has expired',
    CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
    CERT_REVOKED: 'its certificate was revoked',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
    HOSTNAME_MISMATCH: 'its certificate is for another host',
    ERR_TLS_CERT_ALTNAME_FORMAT: BAD_CERTIFICATE,
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: NO_AUTHORITY,
    CERT_UNTRUSTED: NO_AUTHORITY,
    CERT_REJECTED: NO_AUTHORITY,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: MISSING_ISSUER,
    UNABLE_TO_GET_ISSUER_CERT: MISSING_ISSUER,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: MISSING_ISSUER,
    CERT_SIGNATURE_FAILURE: BAD_CERTIFICATE,
    UNABLE_TO_DECRYPT_CERT_SIGNATURE: BAD_CERTIFICATE,
    UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: BAD_CERTIFICATE,
    ERROR_IN_CERT_NOT_BEFORE_FIELD: BAD_CERTIFICATE,
    ERROR_IN_CERT_NOT_AFTER_FIELD: BAD_CERTIFICATE,
    CERT_CHAIN_TOO_LONG: BAD_CERTIFICATE,
    PATH_LENGTH_EXCEEDED: BAD_CERTIFICATE,
    INVALID_CA: BAD_CERTIFICATE,
    INVALID_PURPOSE: BAD_CERTIFICATE,
    UNSPECIFIED: BAD_CERTIFICATE,
    EE_KEY_TOO_SMALL: WEAK_CERTIFICATE,
    CA_KEY_TOO_SMALL: WEAK_CERTIFICATE,
    CA_MD_TOO_WEAK: WEAK_CERTIFICATE,
    ERR_SSL_EE_KEY_TOO_SMALL: WEAK_CERTIFICATE,
    // TLS.
    ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
    ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
    ERR_SSL_NO_PROTOCOLS_AVAILABLE: OLD_TLS,
    ERR_SSL_DH_KEY_TOO_SMALL: OLD_TLS,
    ERR_SSL_NO_CIPHER_MATCH: OLD_TLS,
    ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
    ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
    ERR_SSL_HTTP_REQUEST: NO_TLS,
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it demands a certificate of the client',
    ERR_SSL_TLS_ALERT_CERTIFICATE_REQUIRED: 'it demands a certificate of the client',
    ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it does not serve this name over TLS',
    EPROTO: REFUSED_TLS,
    ERR_TLS_HANDSHAKE_TIMEOUT: 'it did not finish the secure connection in time',
    // HTTP.
    EMPTY_RESPONSE: 'it cut the connection without an answer',
    HEADERS_CUT: 'its answer was interrupted in the headers',
    HEADERS_TOO_LARGE: 'its headers are too large (more than 256 KB)',
    UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
    NO_HTTP,
    STATUS_INVALID: 'its answer has no valid status',
    TOO_MANY_INTERIM_RESPONSES: 'it only sent interim answers (status 1xx)',
    TWO_LENGTHS: 'its answer states two different lengths',
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer was not complete',
    UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is too large',
    UND_ERR_INVALID_ARG: 'its address cannot be requested',
    UND_ERR_NOT_SUPPORTED: 'its answer needs a feature that is not supported here',
    UND_ERR_INFO: CUT,
    ERR_INVALID_URL: 'its address is invalid',
    ERR_INVALID_CHAR: 'its address cannot be requested',
    ERR_UNESCAPED_CHARACTERS: 'its address cannot be requested',
  }),
);

/** Codes that are too many to list, by how they begin. */
const FAMILIES: readonly (readonly [start: string, reason: string])[] = [
  ['HPE_', NO_HTTP],
  ['ERR_HTTP2_', HTTP2_FAILED],
  ['ERR_SSL_', REFUSED_TLS],
  ['ERR_TLS_', REFUSED_TLS],
  ['ERR_OSSL_', REFUSED_TLS],
  ['ERR_ZSTD', 'its compression is broken'],
  ['Z_', 'its compression is broken'],
  ['EAI_', NAME_FAILED],
];

/** Describes in a sentence why a host could not be fetched from. */
export function explainFetchFailure(error: unknown, { host }: URL): string {
  const code = errorCode(error);
  return `${host} could not be fetched: ${reasonOf(code) ?? `the connection failed (${code ?? nameOf(error)})`}.`;
}

function reasonOf(code: string | null): string | undefined {
  if (code === null) return undefined;
  const family = FAMILIES.find(([start]) => code.startsWith(start))?.[1];
  const reason = REASONS.get(code) ?? family;
  // The code of a family distinguishes its cases for an operator who looks it up.
  return REASONS.has(code) || reason === undefined ? reason : `${reason} (${code})`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The code of an error or of its nearest cause that has one, or null. */
export function errorCode(error: unknown): string | null {
  let link = error;
  for (let depth = 0; depth < 10 && typeof link === 'object' && link !== null; depth += 1) {
    if ('code' in link && typeof link.code === 'string') return link.code;
    link = 'cause' in link ? link.cause : null;
  }
  return null;
}
