import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/** As browsers do, accepts servers without secure renegotiation (RFC 5746); OpenSSL 3 refuses them by default. */
export const TLS_OPTIONS: SecureContextOptions = {
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
};
