import { createPasswordHasher, type PasswordHasher } from '#shared/accounts/passwords/password-hasher.server';

/** scrypt's cost as a power of two. The product's is 17: half a second of processor time for each hash. */
const CHEAP_LOG_N = 8;

/** An eighth of a second of processor time for each hash. */
const MEASURABLE_LOG_N = 15;

/**
 * The product's hasher at a low cost, for tests that do not depend on it: the format of a hash, the queue and its limits
 * are the same. Tests of processor time and of floods take `createMeasurablePasswordHasher`.
 */
export function createCheapPasswordHasher(): PasswordHasher {
  return createPasswordHasher({ logN: CHEAP_LOG_N });
}

/** A hasher whose hashes take most of the processor time of a sign-in, as the product's do, at a quarter of its cost. */
export function createMeasurablePasswordHasher(): PasswordHasher {
  return createPasswordHasher({ logN: MEASURABLE_LOG_N });
}
