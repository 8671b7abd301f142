import ipaddr from 'ipaddr.js';

/**
 * Names that never leave a private network: special-use names (RFC 6761, RFC 6762, RFC 8375), and top-level names that
 * networks use for themselves (RFC 6762, appendix G; ICANN's reservation of `internal`).
 */
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

/** The only block of which IPv6 addresses of the public internet are assigned (RFC 4291, section 2.4; IANA). */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6);
}

/**
 * Whether a host can be one of the public internet: an IP address that is neither private, loopback, link-local nor
 * otherwise special, or a name with at least two labels that no private network uses for itself. `hostname` is the
 * WHATWG `URL`'s, which has brought every spelling of an address into one. What a name resolves to is not asked.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return isPublicAddress(ipaddr.parse(host));
  const labels = host.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
}
