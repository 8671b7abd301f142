import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, isIP } from 'node:net';
import { currentRequest } from './request-context.server';

/** An IPv4 address that arrived over an IPv6 socket is that IPv4 address. */
function withoutIpv6Prefix(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * The client's address of a raw request. `trustedProxies` is the number of proxies in front of us: each of them appended
 * the address it saw to X-Forwarded-For, so the client is that many entries from the end. The client wrote every entry
 * before that one, and they are ignored. With fewer entries than proxies the request bypassed a proxy, so the client may
 * have written every entry: the socket's address counts then, and also when the entry is no address.
 */
export function readClientAddress(
  request: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  trustedProxies: number,
): string {
  const socket = withoutIpv6Prefix(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return socket;
  const header = request.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map(withoutIpv6Prefix);
  const address = forwarded.at(-trustedProxies) ?? '';
  return isIP(address) === 0 ? socket : address;
}

/** The client's address of the current request; empty outside of one. */
export function clientAddress(): string {
  return currentRequest()?.clientAddress ?? '';
}

/** The network of an IPv6 address: its first groups, each of 16 bits. */
function ipv6Network(address: string, groups: number): string {
  const network = ipaddr.IPv6.parse(address).parts.slice(0, groups);
  return `${network.map((group) => group.toString(16)).join(':')}::/${groups * 16}`;
}

/** The network that shares one rate limit: an IPv4 address, or an IPv6 /64, which one customer has to itself. */
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
