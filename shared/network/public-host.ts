import ipaddr from 'ipaddr.js';

/** Suffixes of private networks: RFC 6761, RFC 6762 with its appendix G, RFC 8375, ICANN's reservation of `internal`. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'localdomain',
  'home.arpa',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
];

/** The only block of public IPv6 addresses (RFC 4291, section 2.4; IANA). */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6);
}

/**
 * Whether a host may be on the public internet: an IP address that is not special (private, loopback, link-local, …),
 * or a name with at least two labels and no private suffix. `hostname`: from WHATWG `URL`, which normalises
 * addresses. Does not resolve names.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return isPublicAddress(ipaddr.parse(host));
  const labels = host.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
}
