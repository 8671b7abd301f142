import { SECOND, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import type { PublicWeb } from '../../network/public-web.server';
import { findHost, hostOf } from './host-turns';
import { readRobots } from './read-robots.server';
import { needsRobots, robotsRefusal, storeRobots } from './stored-robots';

const TIMEOUT_MS = 10 * SECOND;

/**
 * Throws `Invalid` (`robots_disallowed`, field `robotsPermission`) when robots.txt forbids a page and no permission is
 * stated. Reads robots.txt unless it was read today; one that cannot be read does not keep a page from being added, but
 * from being checked.
 */
export async function requireRobots(
  { db, web, clock }: { db: Database; web: PublicWeb; clock: Clock },
  { url, permission }: { url: string; permission: string },
): Promise<void> {
  if (permission !== '') return;
  const host = hostOf(url);
  const known = await findHost(db, host);
  if (known === null || needsRobots(known, clock.now())) {
    const robots = await readRobots(web, { pageUrl: url, stop: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      () => ({ kind: 'unreachable' }) as const,
    );
    await inTransaction(db, (trx) =>
      trx
        .insertInto('hosts')
        .values({ host, next_request_at: toIso(clock.now() + 2 * SECOND) })
        .onConflict((conflict) => conflict.column('host').doNothing())
        .execute(),
    );
    await storeRobots(db, { host, robots, now: clock.now() });
  }
  const row = await findHost(db, host);
  if (row === null || row.robots === 'unreachable') return;
  const refusal = robotsRefusal(row, url);
  if (refusal === null) return;
  const message = `${refusal} If the shop permits the checks, state who permitted them, and when.`;
  throw new DomainError('Invalid', {
    code: 'robots_disallowed',
    message,
    fieldErrors: { robotsPermission: [message] },
  });
}
