import { SECOND, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import type { PublicWeb } from '../../network/public-web.server';
import { findHost, hostOf, type Host } from './host-turns';
import { createHostVisits } from './host-visits';
import { readRobots } from './read-robots.server';
import { robotsRefusal } from './stored-robots';

/** How long an admin waits for the host's turns and answers. */
const WAIT_MS = 10 * SECOND;
const LIMIT_MS = 20 * SECOND;

/**
 * Visits a page before it is watched as a product, in a turn of its host: reads robots.txt unless it was read today, and
 * calls `look`, which makes one request. Resolves with its result, or with null when robots.txt cannot be read or the
 * host has no turn in time; the page can then still be added. Throws `Invalid` (`robots_disallowed`, field
 * `robotsPermission`) when robots.txt forbids the page and no permission is stated.
 */
export async function visitNewPage<Result>(
  { db, web, clock }: { db: Database; web: PublicWeb; clock: Clock },
  { url, permission }: { url: string; permission: string },
  look: (onRequest: () => void) => Promise<Result>,
): Promise<Result | null> {
  const { visit } = createHostVisits({
    db,
    clock,
    owner: `admin-${newId()}`,
    readRobots: (pageUrl, stop) => readRobots(web, { pageUrl, stop }),
  });
  const signal = AbortSignal.timeout(LIMIT_MS);
  const request = { pageUrl: url, ignoresPause: true, waitMs: WAIT_MS, signal };
  const isRefused = (host: Host | null): boolean =>
    permission === '' && host?.robots_rules != null && robotsRefusal(host, url) !== null;
  const seen = await visit(request, async ({ host, onRequest }) => {
    if (isRefused(host) || (permission === '' && host.robots === 'unreachable'))
      return { host, result: null };
    return { host, result: await look(onRequest) };
  }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  const host = seen?.host ?? (await findHost(db, hostOf(url)));
  if (!isRefused(host)) return seen?.result ?? null;
  const message = `The robots.txt of ${hostOf(url)} does not allow this page. If the shop permits the checks, state who permitted them, and when.`;
  throw new DomainError('Invalid', {
    code: 'robots_disallowed',
    message,
    fieldErrors: { robotsPermission: [message] },
  });
}
