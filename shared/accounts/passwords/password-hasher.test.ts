import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createPasswordHasher } from './password-hasher.server';

/** Cheaper hashes than in production: an eighth of the processor time. */
const CHEAP = { logN: 14 };
const passwords = createPasswordHasher(CHEAP);
/** Four times the cost of `CHEAP`: what runs beside such hashes ends long before the third of them, on a busy machine too. */
const costly = createPasswordHasher({ logN: 16 });
const HOME = '192.0.2.0/24';

describe('a password', () => {
  it('is stored with the parameters and the salt of its hash', async () => {
    const stored = await createPasswordHasher().hash('correct horse battery', HOME);
    expect(stored).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.verify('correct horse battery', stored, HOME)).toBe(true);
  });

  it('matches in any Unicode normalisation, and no other does', async () => {
    const stored = await passwords.hash('caf\u00e9 au lait', HOME);
    expect(await passwords.verify('cafe\u0301 au lait', stored, HOME)).toBe(true);
    expect(await passwords.verify('cafe au lait', stored, HOME)).toBe(false);
    expect(await passwords.verify('', stored, HOME)).toBe(false);
  });

  it('is hashed differently each time', async () => {
    const [one, other] = await Promise.all([
      passwords.hash('the same', HOME),
      passwords.hash('the same', HOME),
    ]);
    expect(one).not.toBe(other);
  });

  it('that is missing never matches', async () => {
    expect(await passwords.verify('something else', null, HOME)).toBe(false);
  });

  it('with an unknown hash format is an error, not a mismatch', async () => {
    await expect(passwords.verify('anything', 'md5$abc', HOME)).rejects.toThrow('unknown format');
  });

  it('of another network is hashed during a flood from one, and only the flood is refused', async () => {
    const stored = await costly.hash('correct horse battery', HOME);
    const hasher = createPasswordHasher({ logN: 8 });
    let hashedOfFlood = 0;
    const flood = Array.from({ length: 100 }, async () => {
      await hasher.verify('x', stored, '198.51.100.0/24');
      hashedOfFlood += 1;
    });
    const settled = Promise.allSettled(flood);
    await expect(flood.at(-1)).rejects.toMatchObject({
      kind: 'Unavailable',
      code: 'busy',
      retryAfterSeconds: expect.any(Number),
    });
    expect(hashedOfFlood).toBe(0);
    expect(await hasher.verify('y', null, HOME)).toBe(false);
    // The first hash of the flood runs at the same time and, on a busy machine, the second one.
    expect(hashedOfFlood).toBeLessThanOrEqual(2);
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect([hashedOfFlood, refused.length]).toEqual([5, 95]);
  });

  it('leaves pool threads to other work, however many networks sign in', async () => {
    let hashed = 0;
    const signIns = Array.from({ length: 8 }, async (_, index) => {
      await costly.verify('x', null, `198.51.${index}.0/24`);
      hashed += 1;
    });
    for (let read = 0; read < 20; read += 1) await readFile(import.meta.filename);
    expect(hashed).toBeLessThanOrEqual(2);
    await Promise.all(signIns);
  });
});
