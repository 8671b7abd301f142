import type { Redis } from 'ioredis';

/** Lets one of several daemons send a notice that the database cannot record. */
export interface NoticeClaims {
  /**
   * Whether this process may send the notice: no process has claimed its name within `lifetimeMs`. True while Redis does not
   * answer: a second notice is better than none.
   */
  claim(name: string, lifetimeMs: number): Promise<boolean>;
  /** Gives back a claim whose notice could not be sent, so that another process may try. */
  release(name: string): Promise<void>;
}

export function createNoticeClaims(redis: Redis, prefix: string): NoticeClaims {
  const keyOf = (name: string): string => `${prefix}:notice:${name}`;
  return {
    async claim(name, lifetimeMs) {
      try {
        return (await redis.set(keyOf(name), '1', 'PX', lifetimeMs, 'NX')) === 'OK';
      } catch {
        return true;
      }
    },
    async release(name) {
      await redis.del(keyOf(name)).catch(() => undefined);
    },
  };
}
