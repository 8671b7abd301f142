import { constants, X509Certificate } from 'node:crypto';
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import { LRUCache } from 'lru-cache';
import { HOUR, MINUTE } from '../../clock';
import { findMissingIssuers, type DownloadCertificate } from './missing-issuers.server';

/** As browsers do, accepts servers without secure renegotiation (RFC 5746); OpenSSL 3 refuses them by default. */
export const TLS_OPTIONS: SecureContextOptions = {
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
};

const MAX_HOSTS = 100;
const KEEP_MS = 12 * HOUR;
/** Until a chain that could not be completed is tried again. */
const RETRY_MS = 10 * MINUTE;

/** The intermediate certificates that servers forget to send. */
export interface CompletedTrust {
  /** The certificates that complete a host's chain, from an earlier connection. */
  find(host: string): SecureContext | undefined;
  /** Completes the chain that a host sent. Undefined when that is impossible; then it is not tried again for some minutes. */
  complete(
    host: string,
    chain: readonly X509Certificate[],
    signal: AbortSignal,
  ): Promise<SecureContext | undefined>;
}

/** `roots`: PEM certificates, by default those that Node trusts. */
export function createCompletedTrust({
  download,
  roots = () => getCACertificates('default'),
}: {
  download: DownloadCertificate;
  roots?: () => string[];
}): CompletedTrust {
  const known = new LRUCache<string, { context: SecureContext | undefined }>({
    max: MAX_HOSTS,
    ttl: KEEP_MS,
  });
  return {
    find: (host) => known.get(host)?.context,
    async complete(host, chain, signal) {
      const earlier = known.get(host);
      if (earlier !== undefined && earlier.context === undefined) return undefined;
      const trusted = roots();
      const missing = await findMissingIssuers(chain, {
        roots: trusted.map((pem) => new X509Certificate(pem)),
        download,
        signal,
      }).catch(() => null);
      signal.throwIfAborted();
      if (missing === null) {
        known.set(host, { context: undefined }, { ttl: RETRY_MS });
        return undefined;
      }
      // Without `allowPartialTrustChain`, OpenSSL uses these to build a chain, and does not end it with them.
      const ca = [...trusted, ...missing.map((certificate) => certificate.toString())];
      const context = createSecureContext({ ...TLS_OPTIONS, ca });
      known.set(host, { context });
      return context;
    },
  };
}
