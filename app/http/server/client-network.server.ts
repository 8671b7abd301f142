import ipaddr from 'ipaddr.js';
import { isIPv4, isIPv6 } from 'node:net';

/** The network of the first `groups` (16 bits each) of an IPv6 address. */
function ipv6Network(address: string, groups: number): string {
  const network = ipaddr.IPv6.parse(address).parts.slice(0, groups);
  return `${network.map((group) => group.toString(16)).join(':')}::/${groups * 16}`;
}

/** The network that shares one rate limit: a single IPv4 address or an IPv6 /64, the usual network of one customer. */
export function networkOf(address: string): string {
  return isIPv6(address) ? ipv6Network(address, 4) : address;
}

/** The IPv6 /48 of an address, the usual allocation to one site (RFC 6177); null for an IPv4 address. */
export function siteOf(address: string): string | null {
  return isIPv6(address) ? ipv6Network(address, 3) : null;
}

/** The network that shares limits and that logs name: an IPv4 /24 or an IPv6 /48, which names no single customer. */
export function wideNetworkOf(address: string): string {
  return siteOf(address) ?? (isIPv4(address) ? `${address.split('.').slice(0, 3).join('.')}.0/24` : address);
}
