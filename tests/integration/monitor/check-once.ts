import { pino } from 'pino';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { CheckerContext } from '../../../daemon/checks/checker-context';
import { inlineJudge } from '../../../daemon/checks/judge';
import { FREE_PACE } from '#shared/monitor/product-timing';
import { createKnownPages } from '../../../daemon/checks/known-pages';
import { runCheck } from '../../../daemon/checks/run-check';
import type { FetchOutcome } from '../../../daemon/waiting-room/fetch/fetch-outcome';

const TARGET = 'https://shop.example/';

/** A page that was fetched. */
export function fetched(body: string): FetchOutcome {
  return {
    answer: {
      requestUrl: TARGET,
      finalUrl: TARGET,
      status: 200,
      headers: {},
      body,
      decodable: true,
      hops: [],
      unverified: false,
    },
    responseTimeMs: 1,
    scrappeyStatus: 'disabled',
    scrappeyRequestId: null,
    scrappeyCalls: 0,
    proxyUsed: null,
    errorMessage: null,
    backOffMs: null,
  };
}

/** Runs a check of the first watch without a daemon; the shop answers with `page`. */
export function checkOnce(db: Database, page: string, more: Partial<CheckerContext> = {}) {
  return runCheck(
    {
      db,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      monitor: { targetUrl: TARGET, scrappey: null },
      fetcher: { fetch: () => Promise.resolve(fetched(page)), close: () => Promise.resolve() },
      judge: inlineJudge.judge,
      knownPages: createKnownPages(systemClock),
      hostVisits: { visit: () => Promise.resolve(null) },
      paceOf: () => FREE_PACE,
      isDatabaseOut: () => false,
      owner: 'test',
      sender: null,
      adminContacts: { emails: [] },
      handleClockStep: () => Promise.resolve(),
      onStorageFault: () => undefined,
      onRecorded: () => undefined,
      ...more,
    },
    {
      watchId: DEFAULT_WATCH_ID,
      trigger: 'manual',
      requestedAt: Number.MAX_SAFE_INTEGER,
      signal: new AbortController().signal,
    },
  );
}
