import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { DomainError } from '../../errors';
import { createFairQueue, QueueFull, type FairQueueLimits } from './fair-queue';

/** OWASP Password Storage Cheat Sheet, "scrypt": N = 2^17, r = 8, p = 1, which takes 128 MiB for each hash. */
const LOG_N = 17;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/**
 * Two hashes at once limit the memory and leave half of Node's four pool threads to other work. Each network runs one at
 * a time, so that a flood from one network leaves the other slot free. The queue is limited to a wait of five hashes.
 */
const LIMITS: FairQueueLimits = { running: 2, runningPerKey: 1, waitingPerKey: 4, waiting: 100 };
/** About how long the running and queued hashes of one network take on a slow machine. */
const RETRY_AFTER_SECONDS = 5;

/** Slow, memory-hard hashing. Networks take turns. Throws `Unavailable` `busy` when too many calls of one network wait. */
export interface PasswordHasher {
  /** The hash to store; salted, so different for each call. */
  hash(password: string, network: string): Promise<string>;
  /** Whether a password matches a stored hash. Null takes the same time and never matches. */
  verify(password: string, stored: string | null, network: string): Promise<boolean>;
}

interface Stored {
  logN: number;
  blockSize: number;
  parallelism: number;
  salt: Buffer;
  key: Buffer;
}

function parseStored(text: string): Stored {
  const [scheme, logN, blockSize, parallelism, salt = '', key = ''] = text.split('$');
  if (scheme !== 'scrypt' || key === '') throw new Error('a stored password has an unknown format');
  return {
    logN: Number(logN),
    blockSize: Number(blockSize),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

function deriveKey(password: string, { logN, blockSize, parallelism, salt, key }: Stored): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r: blockSize, p: parallelism, maxmem: 256 * N * blockSize };
  // Operating systems compose accented characters differently.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, key.length, options, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    );
  });
}

function blank(logN: number): Stored {
  return {
    logN,
    blockSize: BLOCK_SIZE,
    parallelism: PARALLELISM,
    salt: randomBytes(SALT_BYTES),
    key: Buffer.alloc(KEY_BYTES),
  };
}

/** Create one per process, because the memory limit is per hasher. `logN`: scrypt's cost as a power of two. */
export function createPasswordHasher({
  logN = LOG_N,
  limits = LIMITS,
}: { logN?: number; limits?: FairQueueLimits } = {}): PasswordHasher {
  const queue = createFairQueue(limits);
  const inTurn = async (network: string, password: string, stored: Stored): Promise<Buffer> => {
    try {
      return await queue.run(network, () => deriveKey(password, stored));
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new DomainError('Unavailable', {
        code: 'busy',
        message: 'Too many sign-ins come from your network right now. Please try again in a few seconds.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  };
  return {
    async hash(password, network) {
      const form = blank(logN);
      const key = await inTurn(network, password, form);
      const salt = form.salt.toString('base64url');
      return ['scrypt', logN, BLOCK_SIZE, PARALLELISM, salt, key.toString('base64url')].join('$');
    },
    async verify(password, stored, network) {
      const expected = stored === null ? blank(logN) : parseStored(stored);
      const key = await inTurn(network, password, expected);
      return timingSafeEqual(key, expected.key) && stored !== null;
    },
  };
}
