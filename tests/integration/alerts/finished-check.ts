import { DEFAULT_WATCH_ID } from '#shared/brand';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import type { FinishedCheck } from '#shared/monitor/checks/recording/check-row';
import { recordCheck } from '#shared/monitor/checks/recording/record-check';
import { FREE_PACE } from '#shared/monitor/product-timing';
import { MINUTE, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';

/** A check that has just seen the shop open, with the given changes. */
export function finishedCheck(
  changes: Partial<FinishedCheck> & Pick<FinishedCheck, 'startedAt' | 'leaseToken'>,
): FinishedCheck {
  return {
    watchId: DEFAULT_WATCH_ID,
    trigger: 'manual',
    targetUrl: 'https://shop.example/',
    judgement: {
      verdict: 'open',
      strength: null,
      unknownReason: null,
      reason: 'Products are on sale.',
      signs: [],
    },
    redirects: [],
    unverified: false,
    finalUrl: 'https://shop.example/',
    httpStatus: 200,
    responseTimeMs: 250,
    errorMessage: null,
    body: '<h1>Shop</h1>',
    headers: {},
    scrappey: { status: 'disabled', requestId: null, calls: 0, proxy: null },
    backOffMs: null,
    pageIdentity: null,
    isPage: true,
    pace: FREE_PACE,
    ...changes,
  };
}

/** Takes the check lease and stores one check at the clock's time. Returns the check's id. */
export async function storeCheck(
  db: Database,
  clock: Clock,
  changes: Partial<FinishedCheck> = {},
): Promise<string> {
  const now = clock.now();
  const watch = await takeCheckLease(db, {
    watchId: changes.watchId ?? DEFAULT_WATCH_ID,
    owner: 'test',
    clock,
  });
  if (watch === null) throw new Error('the check lease is taken');
  const recorder = { db, clock, adminContacts: { emails: [] }, sender: null };
  const recorded = await recordCheck(
    recorder,
    finishedCheck({ startedAt: now, leaseToken: watch.lease_token, ...changes }),
    MINUTE,
  );
  return recorded.checkId;
}
