import { isIP } from 'node:net';
import { MINUTE, SECOND } from '../clock';
import { DomainError } from '../errors';
import { createCompletedTrust, type CompletedTrust } from './certificates/completed-trust.server';
import { createCertificateDownload } from './certificates/download-certificate.server';
import type { TcpOptions } from './connect/connect-tcp.server';
import type { ConnectorOptions } from './connect/undici-connector.server';
import { createHttpClient, type HttpClient } from './connect/http-client.server';
import { createPageClient, type PageClient } from './page/page-client.server';
import { isPublicHost } from './public-host';
import { createResolver, type ResolveName } from './resolve-name.server';

/** Requests to addresses that people enter: watches, push endpoints. */
export interface PublicWeb {
  /**
   * Parses an address and checks that it is http(s) without user name and password and that its host resolves to public
   * addresses alone, or is listed in ALLOWED_PRIVATE_HOSTS. Throws `Invalid` (`address_not_public`, `address_unknown`)
   * with a sentence for the person who entered it; `field` names the input in `fieldErrors`.
   */
  requirePublicUrl(text: string, field?: string): Promise<URL>;
  /**
   * Connects to public addresses and allowed private hosts alone: checks the address of each connection, so a name that
   * resolves differently later, and each redirect, are covered. A refused connection fails with `PrivateAddressError`.
   * Follows no redirects. Keeps connections open per host; HTTP/2 where the host offers it.
   */
  request: HttpClient['request'];
  /** Requests pages under the same rules. */
  pages: PageClient;
  /** Completes the certificates of servers, with what it finds at public addresses. */
  trust: CompletedTrust;
  /** Closes the connections; requests under way fail. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 15 * SECOND;

/** A connection that was not opened, because the host is not on the public internet. */
class PrivateAddressError extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';

  constructor(host: string) {
    super(`${host} is not on the public internet`);
    this.name = 'PrivateAddressError';
  }
}

/** `allowedPrivateHosts`: `host` or `host:port`, lower case. `resolve`: finds the addresses of names, by default by DNS. */
export function createPublicWeb({
  allowedPrivateHosts,
  resolve = createResolver(),
}: {
  allowedPrivateHosts: readonly string[];
  resolve?: ResolveName;
}): PublicWeb {
  const allowed = new Set(allowedPrivateHosts);
  const isAllowed = (protocol: string, hostname: string, port: string): boolean => {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
    const host = bare.includes(':') ? `[${bare}]` : bare;
    return allowed.has(host) || allowed.has(`${host}:${port || (protocol === 'https:' ? '443' : '80')}`);
  };

  const anywhere: TcpOptions = { timeoutMs: CONNECT_TIMEOUT_MS };
  /** Fails unless every address of the name is public. The socket connects to the very addresses that were checked. */
  const publicOnly: TcpOptions = {
    timeoutMs: CONNECT_TIMEOUT_MS,
    async resolve(hostname) {
      const addresses = await resolve(hostname);
      if (addresses.length === 0 || !addresses.every(isPublicHost)) throw new PrivateAddressError(hostname);
      return addresses;
    },
  };
  /** How to connect to an address. Throws when it is not public. */
  const tcpFor: NonNullable<ConnectorOptions['tcpFor']> = ({ protocol, hostname, port }) => {
    if (isAllowed(protocol, hostname, port)) return anywhere;
    // A socket to an IP address makes no lookup.
    if (isPublicHost(hostname)) return publicOnly;
    throw new PrivateAddressError(hostname);
  };

  const client = createHttpClient({
    connect: { timeoutMs: CONNECT_TIMEOUT_MS, tcpFor },
    headersTimeout: MINUTE,
    bodyTimeout: MINUTE,
    maxHeaderSize: 64 * 1024,
  });
  const trust = createCompletedTrust({ download: createCertificateDownload(client) });

  return {
    request: client.request,
    trust,
    pages: createPageClient({ tcpFor, trust }),
    close: client.destroy,

    async requirePublicUrl(text, field = 'url') {
      const refuse = (code: string, message: string): never => {
        throw new DomainError('Invalid', { code, message, fieldErrors: { [field]: [message] } });
      };
      const trimmed = text.trim();
      const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
      if (url === null || !/^https?:$/.test(url.protocol))
        return refuse('address_not_public', 'Enter an address that begins with https:// or http://.');
      const { protocol, hostname, port, username, password } = url;
      if (username !== '' || password !== '')
        return refuse('address_not_public', 'Enter the address without a user name and a password.');
      if (isAllowed(protocol, hostname, port)) return url;

      const notPublic = `${hostname} is not on the public internet. Enter the address of a public page.`;
      if (!isPublicHost(hostname)) return refuse('address_not_public', notPublic);
      if (isIP(hostname) !== 0 || hostname.startsWith('[')) return url;
      const addresses = await resolve(hostname).catch(() => []);
      if (addresses.length === 0)
        return refuse('address_unknown', `${hostname} could not be found. Check the address and try again.`);
      if (!addresses.every(isPublicHost)) return refuse('address_not_public', notPublic);
      return url;
    },
  };
}
