import { createPasswordHasher, type PasswordHasher } from '#shared/accounts/passwords/password-hasher.server';

/** scrypt's cost as a power of two. The product's is 17: half a second of processor time for each hash. */
const CHEAP_LOG_N = 8;

/**
 * The product's hasher at a low cost, for tests that do not depend on it: the format of a hash, the queue and its limits
 * are the same. Tests of processor time and of floods take the product's cost.
 */
export function createCheapPasswordHasher(): PasswordHasher {
  return createPasswordHasher({ logN: CHEAP_LOG_N });
}
