import { describe, expect, test } from 'vitest';
import { networkOf, readClientAddress, siteOf, wideNetworkOf } from './client-address.server';

function addressOf(forwarded: string | undefined, trusted: number, remoteAddress = '::ffff:10.0.0.1') {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return readClientAddress({ headers, socket: { remoteAddress } }, trusted);
}

describe('the client’s address', () => {
  test.each([
    ['no proxy is trusted', '1.1.1.1', 0, '10.0.0.1'],
    ['one proxy is trusted', '1.1.1.1', 1, '1.1.1.1'],
    ['entries that the client wrote before the proxy are ignored', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['two proxies are trusted', '6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
    ['Fly appends the visitor and its own address', '6.6.6.6, 1.1.1.1, 2a09:8280:1::7', 2, '1.1.1.1'],
    ['fewer entries than proxies: the client wrote them', '1.1.1.1', 3, '10.0.0.1'],
    ['one entry fewer than proxies', '6.6.6.6, 1.1.1.1', 3, '10.0.0.1'],
    ['an empty header', '', 1, '10.0.0.1'],
    ['no header', undefined, 1, '10.0.0.1'],
    ['the entry is not an address', '<script>', 1, '10.0.0.1'],
    ['the entry is an IPv6 address', '2001:db8::7', 1, '2001:db8::7'],
  ])('%s', (_, forwarded, trusted, expected) => {
    expect(addressOf(forwarded, trusted)).toBe(expected);
  });
});

describe('the network that shares a rate limit', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s → %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('the wider networks', () => {
  test.each([
    ['192.0.2.7', null, '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48', '2001:db8:1::/48'],
    ['2001:db8::9', '2001:db8:0::/48', '2001:db8:0::/48'],
    ['', null, ''],
  ])('%s → %s, %s', (address, site, wide) => {
    expect(siteOf(address)).toBe(site);
    expect(wideNetworkOf(address)).toBe(wide);
  });
});
