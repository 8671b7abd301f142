import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import { clientAddress, networkOf, siteOf } from '../server/client-address.server';

interface Limit {
  points: number;
  windowMs: number;
}

/** How often something may be done under one key within a window that begins with the first time. */
const LIMITS = {
  /** By account and address. */
  loginAccount: { points: 10, windowMs: 15 * MINUTE },
  /** By address, as every limit below that is not said to be by account. */
  loginAddress: { points: 100, windowMs: HOUR },
  register: { points: 10, windowMs: HOUR },
  /** Beside the five tries each code has. */
  verifyAddress: { points: 60, windowMs: HOUR },
  /** By account, from any address: apart for each browser that waits for a code, and for the bare API. */
  verifyAccount: { points: 15, windowMs: HOUR },
  resend: { points: 30, windowMs: HOUR },
  discord: { points: 60, windowMs: 15 * MINUTE },
  /** By the state itself: it opens one callback. */
  discordState: { points: 1, windowMs: 15 * MINUTE },
  /** By account, as all that follow. */
  checkNow: { points: 6, windowMs: MINUTE },
  webhookSave: { points: 20, windowMs: MINUTE },
  webhookTest: { points: 6, windowMs: MINUTE },
  accountWrite: { points: 60, windowMs: MINUTE },
  upload: { points: 60, windowMs: MINUTE },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** How many times a client's limit an IPv6 /48 has: an attacker with a whole site still has a bound. */
const SITE_FACTOR = 5;

/** One use of a limit. `key`: whom it counts for; it is stored only as a hash. */
export interface LimitUse {
  limit: LimitName;
  key: string;
  /** Counted as well, against five times the limit: the IPv6 /48 of the client. */
  siteKey?: string;
}

/** A use by one client: everyone at their network address together, and apart for each account they name. */
export function clientUse(limit: LimitName, account = ''): LimitUse {
  const address = clientAddress();
  const site = siteOf(address);
  return {
    limit,
    key: `${networkOf(address)} ${account}`,
    ...(site !== null && { siteKey: `${site} ${account}` }),
  };
}

export interface RateLimits {
  /** Counts one use of each. Throws `RateLimited` at the first that is used up. */
  take(uses: readonly LimitUse[]): Promise<void>;
  /** Gives a use back: what was counted proved to be harmless. */
  giveBack(uses: readonly LimitUse[]): Promise<void>;
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

function tooMany(msBeforeNext: number): DomainError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / SECOND));
  return new DomainError('RateLimited', {
    code: 'rate_limited',
    message: `Too many tries. Please wait ${inWords(seconds)} and try again.`,
    retryAfterSeconds: seconds,
  });
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/**
 * Every limit, counted in Redis for all processes together, and in this process's memory while Redis is away:
 * then each process allows the whole limit, which is better than none and better than shutting the door.
 */
export function createRateLimits({
  redis,
  prefix,
  log,
}: {
  redis: Redis | null;
  prefix: string;
  log: Pick<Logger, 'warn'>;
}): RateLimits {
  const limiterOf = (name: LimitName, scope: string, factor: number): RateLimiterAbstract => {
    const { points, windowMs } = LIMITS[name];
    const options = {
      keyPrefix: `${prefix}:limit:${name}${scope}`,
      points: points * factor,
      duration: windowMs / SECOND,
    };
    const memory = new RateLimiterMemory(options);
    if (redis === null) return memory;
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: memory,
    });
  };
  const limiters = new Map(
    (Object.keys(LIMITS) as LimitName[]).map((name) => [
      name,
      { client: limiterOf(name, '', 1), site: limiterOf(name, ':site', SITE_FACTOR) },
    ]),
  );
  const countersOf = ({ limit, key, siteKey }: LimitUse): { limiter: RateLimiterAbstract; key: string }[] => {
    const found = limiters.get(limit);
    if (found === undefined) throw new Error(`there is no limit called ${limit}`);
    return [
      { limiter: found.client, key },
      ...(siteKey === undefined ? [] : [{ limiter: found.site, key: siteKey }]),
    ];
  };

  return {
    async take(uses) {
      for (const { limiter, key } of uses.flatMap(countersOf)) {
        try {
          await limiter.consume(hashOf(key));
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error;
          throw tooMany(error.msBeforeNext);
        }
      }
    },
    async giveBack(uses) {
      const given = await Promise.allSettled(
        uses.flatMap(countersOf).map(({ limiter, key }) => limiter.reward(hashOf(key))),
      );
      const failed = given.find((result) => result.status === 'rejected');
      if (failed !== undefined) log.warn({ err: failed.reason }, 'a use of a limit could not be given back');
    },
  };
}
