import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import { LIMITS, type LimitName } from '#shared/rate-limits';
import { counted } from '#shared/format';
import { networkOf, siteOf } from './client-network.server';
import { clientAddress } from './request-context.server';

/** The limit of an IPv6 /48 as a multiple of a client's: it also limits an attacker who controls a whole /48. */
const SITE_FACTOR = 5;

/** One use of a rate limit. Uses are counted by `key`; only its hash is stored. */
export interface LimitUse {
  limit: LimitName;
  key: string;
  /** The client's IPv6 /48, counted separately with five times the limit. */
  siteKey?: string;
}

/** A use by the current client, counted by its network and, if given, the account. */
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
  /** Counts the uses. Throws `RateLimited` at the first limit that is exceeded. */
  take(uses: readonly LimitUse[]): Promise<void>;
  /** Takes uses back, for example after a successful sign-in. */
  refund(uses: readonly LimitUse[]): Promise<void>;
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second');
  return `${Math.ceil(seconds / 60)} minutes`;
}

function rateLimited(msBeforeNext: number): DomainError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / SECOND));
  return new DomainError('RateLimited', {
    code: 'rate_limited',
    message: `Too many attempts. Please wait ${formatSeconds(seconds)} and try again.`,
    retryAfterSeconds: seconds,
  });
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/**
 * Creates the rate limits. Redis counts uses across all processes. While Redis is down, each process counts in memory and
 * allows the whole limit; the alternatives are no limit, or refusing every request.
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
    if (found === undefined) throw new Error(`unknown rate limit: ${limit}`);
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
          throw rateLimited(error.msBeforeNext);
        }
      }
    },
    async refund(uses) {
      const refunds = await Promise.allSettled(
        uses.flatMap(countersOf).map(({ limiter, key }) => limiter.reward(hashOf(key))),
      );
      const failed = refunds.find((result) => result.status === 'rejected');
      if (failed !== undefined)
        log.warn({ err: failed.reason }, 'a use of a rate limit could not be refunded');
    },
  };
}
