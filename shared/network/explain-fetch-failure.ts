const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it cut the connection',
  EPIPE: 'it cut the connection',
  ETIMEDOUT: 'it did not take the connection in time',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  UND_ERR_SOCKET: 'it cut the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it did not take the connection in time',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer was not complete',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a known authority',
  ADDRESS_NOT_PUBLIC: 'it is not on the public internet',
};

/** Describes in a sentence why a host could not be fetched from. */
export function explainFetchFailure(error: unknown, { host }: URL): string {
  const code = errorCode(error);
  const reason =
    code === null
      ? undefined
      : (REASONS[code] ?? (code.startsWith('HPE_') ? 'its answer is no HTTP' : undefined));
  return `${host} could not be fetched: ${reason ?? `an unexpected failure (${code ?? 'unnamed'})`}.`;
}

/** The code of an error or of its nearest cause that has one, or null. */
export function errorCode(error: unknown): string | null {
  for (
    let link = error;
    typeof link === 'object' && link !== null;
    link = 'cause' in link ? link.cause : null
  ) {
    if ('code' in link && typeof link.code === 'string') return link.code;
  }
  return null;
}
