import { setTimeout as sleep } from 'node:timers/promises';
import { exponentialBackoffMs } from '#shared/backoff';
import { MINUTE, SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';

const FIRST_WAIT_MS = 5 * SECOND;
const MAX_WAIT_MS = 10 * MINUTE;

/**
 * Creates the missing prices of the plans at Stripe and compares the others; retries until Stripe answers or `signal`
 * aborts. A plan whose price differs cannot be sold, and the log says why. Never rejects: an outage of Stripe does not
 * delay the daemon.
 */
export async function syncPackagesAtStart(
  payments: PaymentsContext,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  if (payments.stripe === null) return;
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      for (const { id, outcome, fault } of await syncPackages(payments)) {
        if (fault !== null) logger.warn({ package: id, fault }, 'a plan cannot be sold');
        else if (outcome === 'created') logger.info({ package: id }, 'made the price of a plan at Stripe');
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DomainError)) {
        logger.error({ err: error }, 'could not compare the plans with Stripe');
        return;
      }
      logger.warn(
        { err: error.cause ?? error },
        'could not compare the plans with Stripe: trying again later',
      );
      const wait = exponentialBackoffMs({ attempt, firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS });
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}
