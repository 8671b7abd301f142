import type { Dispatcher } from 'undici';

/** Requests to addresses that people enter: watches, push endpoints. */
export interface PublicWeb {
  /**
   * Parses an address and checks that it is http(s) and that its host resolves to public addresses alone, or is listed in
   * ALLOWED_PRIVATE_HOSTS. Throws `Invalid` (`address_not_public`) with a sentence for the person who entered it.
   */
  requirePublicUrl(text: string): Promise<URL>;
  /**
   * Connects to public addresses and allowed private hosts alone: checks the address of each connection, so a name that
   * resolves differently later, and each redirect, are covered. Keeps connections open per host.
   */
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** `allowedPrivateHosts`: `host` or `host:port`, lower case (ALLOWED_PRIVATE_HOSTS). */
export function createPublicWeb(_options: { allowedPrivateHosts: readonly string[] }): PublicWeb {
  throw new Error('not built yet');
}
