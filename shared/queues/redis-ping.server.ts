import type { Redis } from 'ioredis';
import { SECOND } from '../clock';
import { inTime } from '../in-time';

/** Shorter than the usual timeout of a probe. */
const PING_LIMIT_MS = 1.5 * SECOND;
/** Callers within this time share one result, so that frequent probes cause no extra commands. */
const RESULT_LIFETIME_MS = SECOND;

/**
 * Creates a function that says whether Redis answers: a connection can be open to a server that is stopped or hangs. One
 * ping runs at a time, and `limitMs` after its start the answer is no. The function never rejects.
 */
export function createRedisPing(
  redis: Redis,
  { limitMs = PING_LIMIT_MS }: { limitMs?: number } = {},
): () => Promise<boolean> {
  let current: { result: Promise<boolean>; until: number } | null = null;

  const ping = (): Promise<boolean> =>
    inTime(limitMs, redis.ping()).then(
      () => true,
      () => false,
    );

  return () => {
    // A lost connection is known at once, without a command.
    if (redis.status !== 'ready') return Promise.resolve(false);
    if (current === null || performance.now() >= current.until) {
      const started = { result: ping(), until: Number.POSITIVE_INFINITY };
      current = started;
      void started.result.then(() => (started.until = performance.now() + RESULT_LIFETIME_MS));
    }
    return current.result;
  };
}
