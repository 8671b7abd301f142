import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import pLimit from 'p-limit';
import { DomainError } from '../errors';

/** OWASP Password Storage Cheat Sheet, "scrypt": N = 2^17, r = 8, p = 1, which takes 128 MiB for each hash. */
const LOG_N = 17;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Bounds memory and leaves half of Node's four pool threads to others. */
const AT_ONCE = 2;
/** Whoever comes after that many would wait for too long anyway. */
const MOST_WAITING = 100;

/** Slow, memory-hard hashing of passwords. */
export interface PasswordHasher {
  /** The form to store; different for each call. */
  hash(password: string): Promise<string>;
  /** Whether a stored form is of this password. With null the same work is done, and the answer is no. */
  verify(password: string, stored: string | null): Promise<boolean>;
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
  if (scheme !== 'scrypt' || key === '') throw new Error('a stored password is in no form that is known');
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
  // The same password typed on two systems may differ in how its accents are composed.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, key.length, options, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    );
  });
}

function blank(): Stored {
  return {
    logN: LOG_N,
    blockSize: BLOCK_SIZE,
    parallelism: PARALLELISM,
    salt: randomBytes(SALT_BYTES),
    key: Buffer.alloc(KEY_BYTES),
  };
}

/** One per process, so that its bound on memory holds. Throws `Unavailable` when far too many ask at once. */
export function createPasswordHasher({ mostWaiting = MOST_WAITING } = {}): PasswordHasher {
  const limit = pLimit(AT_ONCE);
  const inTurn = (password: string, stored: Stored): Promise<Buffer> => {
    if (limit.pendingCount >= mostWaiting) {
      throw new DomainError('Unavailable', {
        code: 'busy',
        message: 'Too many people are signing in right now. Please try again in a moment.',
      });
    }
    return limit(() => deriveKey(password, stored));
  };
  return {
    async hash(password) {
      const form = blank();
      const key = await inTurn(password, form);
      const salt = form.salt.toString('base64url');
      return ['scrypt', LOG_N, BLOCK_SIZE, PARALLELISM, salt, key.toString('base64url')].join('$');
    },
    async verify(password, stored) {
      const expected = stored === null ? blank() : parseStored(stored);
      const key = await inTurn(password, expected);
      return timingSafeEqual(key, expected.key) && stored !== null;
    },
  };
}
