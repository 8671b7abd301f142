import { describe, expect, it } from 'vitest';
import { createPasswordHasher } from './password-hasher.server';

const passwords = createPasswordHasher();

describe('a password', () => {
  it('is recognised, however its accents are composed, and no other is', async () => {
    const stored = await passwords.hash('caf\u00e9 au lait');
    expect(stored).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.verify('cafe\u0301 au lait', stored)).toBe(true);
    expect(await passwords.verify('cafe au lait', stored)).toBe(false);
    expect(await passwords.verify('', stored)).toBe(false);
  });

  it('is stored differently each time', async () => {
    const [one, other] = await Promise.all([passwords.hash('the same'), passwords.hash('the same')]);
    expect(one).not.toBe(other);
  });

  it('that is not there never fits', async () => {
    expect(await passwords.verify('something else', null)).toBe(false);
  });

  it('in a form that is unknown is a fault, not a refusal', async () => {
    await expect(passwords.verify('anything', 'md5$abc')).rejects.toThrow('no form that is known');
  });

  it('is not hashed when far too many wait already', async () => {
    const crowded = createPasswordHasher({ mostWaiting: 2 });
    const work = Array.from({ length: 5 }, () => crowded.verify('x', null));
    const settled = Promise.allSettled(work);
    await expect(work.at(-1)).rejects.toMatchObject({ kind: 'Unavailable', code: 'busy' });
    expect((await settled).map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
  });
});
