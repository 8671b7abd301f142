import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Carries the address a request came from. Always ours: an inbound value is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-client-ip';

/** An IPv4 address that arrived over an IPv6 socket is that IPv4 address. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * Who sent a raw request. `trustedProxies` is the number of proxies in front of us: each of them appended the address
 * it saw to X-Forwarded-For, so the client is that many entries from its end. Anything before is the client's own
 * word and counts for nothing. With fewer entries than proxies the request came around a proxy, so every entry may be
 * the client's own: the socket's address counts then, and also when the entry is no address.
 */
export function readClientAddress(
  request: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustedProxies: number,
): string {
  const socket = plain(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return socket;
  const header = request.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map(plain);
  const address = forwarded.at(-trustedProxies) ?? '';
  return isIP(address) === 0 ? socket : address;
}

/** The address of a request that came through the server; empty for one that did not. */
export function clientAddressOf(request: Request): string {
  return request.headers.get(CLIENT_ADDRESS_HEADER) ?? '';
}

/** The eight groups of an IPv6 address, its `::` written out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
}

/** The network of an IPv6 address: its first groups, each of 16 bits. */
function ipv6Network(address: string, groups: number): string {
  const network = groupsOf(address).slice(0, groups);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${groups * 16}`;
}

/** Whom a limit counts together: an IPv4 address, or the /64 that one IPv6 customer has at will. */
export function networkOf(address: string): string {
  return isIPv6(address) ? ipv6Network(address, 4) : address;
}

/** The IPv6 /48 of an address, the usual allocation to one site (RFC 6177); null for an IPv4 address. */
export function siteOf(address: string): string | null {
  return isIPv6(address) ? ipv6Network(address, 3) : null;
}

/** The network whose hosts share one budget of code mails and of password hashing: an IPv4 /24 or an IPv6 /48. */
export function wideNetworkOf(address: string): string {
  return siteOf(address) ?? (isIPv4(address) ? `${address.split('.').slice(0, 3).join('.')}.0/24` : address);
}
