import { lookup as lookupHost, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { MINUTE, SECOND } from '../clock';
import { DomainError } from '../errors';
import { isPublicHost } from '../public-host';

const LOOKUP_TIMEOUT_MS = 5 * SECOND;

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
  dispatcher: Dispatcher;
  /** Closes the connections; requests under way fail. */
  close(): Promise<void>;
}

/** A connection that was not opened, because the host is not on the public internet. */
class PrivateAddressError extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';

  constructor(host: string) {
    super(`${host} is not on the public internet`);
    this.name = 'PrivateAddressError';
  }
}

/** Resolves a name like `dns.lookup` with `all`. */
type Lookup = (
  hostname: string,
  options: { all: true; family?: number; hints?: number },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * `allowedPrivateHosts`: `host` or `host:port`, lower case (ALLOWED_PRIVATE_HOSTS). `connectionsPerHost`: default
 * unlimited. `lookup`: default the system's resolver.
 */
export function createPublicWeb({
  allowedPrivateHosts,
  connectionsPerHost,
  lookup = lookupHost,
}: {
  allowedPrivateHosts: readonly string[];
  connectionsPerHost?: number;
  lookup?: Lookup;
}): PublicWeb {
  const allowed = new Set(allowedPrivateHosts);
  const isAllowed = (protocol: string, hostname: string, port: string): boolean => {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
    const host = bare.includes(':') ? `[${bare}]` : bare;
    return allowed.has(host) || allowed.has(`${host}:${port || (protocol === 'https:' ? '443' : '80')}`);
  };

  /** Fails unless every address of the name is public. The socket connects to the very addresses that were checked. */
  const lookupPublic: LookupFunction = (hostname, { all, family, hints }, callback) => {
    const options = {
      all: true as const,
      ...(typeof family === 'number' ? { family } : {}),
      ...(hints === undefined ? {} : { hints }),
    };
    lookup(hostname, options, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null) callback(error, '');
      else if (first === undefined || !addresses.every(({ address }) => isPublicHost(address)))
        callback(new PrivateAddressError(hostname), '');
      else if (all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  const connectAnywhere = buildConnector({ timeout: 15 * SECOND });
  const connectPublic = buildConnector({ timeout: 15 * SECOND, lookup: lookupPublic });

  const dispatcher = new Agent({
    ...(connectionsPerHost === undefined ? {} : { connections: connectionsPerHost }),
    connect: (options, callback) => {
      const { protocol, hostname, port } = options;
      if (isAllowed(protocol, hostname, port)) return connectAnywhere(options, callback);
      // A socket to an IP address makes no lookup.
      if (isPublicHost(hostname)) return connectPublic(options, callback);
      queueMicrotask(() => callback(new PrivateAddressError(hostname), null));
    },
    headersTimeout: MINUTE,
    bodyTimeout: MINUTE,
    maxHeaderSize: 64 * 1024,
  });

  return {
    dispatcher,
    close: () => dispatcher.destroy(),

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
      const found = await findAddresses(lookup, hostname);
      if (found === null)
        return refuse('address_unknown', `${hostname} could not be found. Check the address and try again.`);
      if (!found.every(isPublicHost)) return refuse('address_not_public', notPublic);
      return url;
    },
  };
}

/** The addresses of a name (of a literal: itself); null when there are none or the resolver does not answer in time. */
function findAddresses(lookup: Lookup, hostname: string): Promise<string[] | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), LOOKUP_TIMEOUT_MS);
    lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }, (error, addresses) => {
      clearTimeout(timer);
      resolve(error !== null || addresses.length === 0 ? null : addresses.map(({ address }) => address));
    });
  });
}
