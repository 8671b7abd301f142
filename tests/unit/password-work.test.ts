import { createPasswordHasher } from '#shared/accounts/passwords/password-hasher.server';
import { expect, it } from 'vitest';
import { leastCpuTimeOf } from '../cpu-time';

it('a missing password takes as much processor time as a wrong one', async () => {
  // Cheaper than in production: the ratio is the same.
  const passwords = createPasswordHasher({ logN: 14 });
  const stored = await passwords.hash('anything at all', 'network');
  const { known, unknown } = await leastCpuTimeOf({
    known: () => passwords.verify('something else', stored, 'network'),
    unknown: () => passwords.verify('something else', null, 'network'),
  });
  expect(unknown / known).toBeGreaterThan(0.5);
  expect(unknown / known).toBeLessThan(2);
});
