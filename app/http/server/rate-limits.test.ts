import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { networkOf, siteOf, wideNetworkOf } from './client-network.server';
import { runInRequest } from './request-context.server';
import { clientUse, createRateLimits } from './rate-limits.server';

const log = pino({ level: 'silent' });

/** How many of these requests may register, with new counters. */
async function allowedRegistrations(addresses: string[]): Promise<number> {
  const limits = createRateLimits({ redis: null, prefix: 'test', log });
  const attempts = await Promise.allSettled(
    addresses.map((clientAddress) =>
      runInRequest({ method: 'POST', clientAddress }, () => limits.take([clientUse('register')])),
    ),
  );
  return attempts.filter(({ status }) => status === 'fulfilled').length;
}

const many = (count: number, addressOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => addressOf(index));

test('an IPv4 address has ten registrations, independent of neighbouring addresses', async () => {
  expect(await allowedRegistrations(many(20, () => '192.0.2.7'))).toBe(10);
  expect(await allowedRegistrations(many(20, (index) => `192.0.2.${index}`))).toBe(20);
});

test('all addresses of an IPv6 /64 share one limit', async () => {
  expect(await allowedRegistrations(many(20, (index) => `2001:db8:1:2::${index.toString(16)}`))).toBe(10);
});

test('all /64 networks of an IPv6 /48 share five times the limit', async () => {
  const rotating = many(200, (index) => `2001:db8:1:${index.toString(16)}::1`);
  expect(await allowedRegistrations(rotating)).toBe(50);
  expect(await allowedRegistrations([...rotating, '2001:db8:2:1::1'])).toBe(51);
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
