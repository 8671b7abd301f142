import { pino } from 'pino';
import { expect, test } from 'vitest';
import { runInRequest } from '../server/request-context.server';
import { clientUse, createRateLimits } from './rate-limits.server';

const log = pino({ level: 'silent' });

/** Whether each of these requests may register, in order, with new counters. */
async function allowedRegistrations(addresses: string[]): Promise<number> {
  const limits = createRateLimits({ redis: null, prefix: 'test', log });
  const tries = await Promise.allSettled(
    addresses.map((clientAddress) =>
      runInRequest({ method: 'POST', clientAddress }, () => limits.take([clientUse('register')])),
    ),
  );
  return tries.filter(({ status }) => status === 'fulfilled').length;
}

const many = (count: number, addressOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => addressOf(index));

test('an IPv4 address has ten registrations, independent of its neighbours', async () => {
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
