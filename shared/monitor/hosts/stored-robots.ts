import { DAY, fromIso, HOUR, isPast, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import { inStatement } from '../../database/transaction';
import type { Host } from './host-turns';
import type { Robots } from './read-robots.server';
import { isAllowedByRules, readRobotsRules, writeRobotsRules } from './robots-rules';

/** How long a robots.txt is valid; shorter when it could not be read. */
const READ_EVERY_MS = DAY;
const RETRY_EVERY_MS = HOUR / 4;

/** Whether a host's robots.txt must be read before its pages are requested. `now`: epoch ms. */
export function needsRobots(host: Host, now: number): boolean {
  if (host.robots_read_at === null) return true;
  const readAt = fromIso(host.robots_read_at);
  const everyMs = host.robots === 'unreachable' ? RETRY_EVERY_MS : READ_EVERY_MS;
  return !isPast(readAt, now) || now - readAt >= everyMs;
}

/**
 * Stores the state of a host's robots.txt. While it is unreachable, the earlier rules stay valid (RFC 9309, section 2.4),
 * and it is read again sooner.
 */
export async function storeRobots(
  db: Database,
  { host, robots, now }: { host: string; robots: Robots; now: number },
): Promise<void> {
  const rules = robots.kind === 'rules' ? robots.rules : null;
  const isKept = robots.kind === 'unreachable';
  await inStatement(db, (trx) =>
    trx
      .updateTable('hosts')
      .set({
        robots: robots.kind,
        robots_read_at: toIso(now),
        ...(!isKept && {
          robots_rules: rules === null ? null : writeRobotsRules(rules),
          robots_delay_ms: rules?.delayMs ?? null,
        }),
      })
      .where('host', '=', host)
      .execute(),
  );
}

/** Why a host's robots.txt forbids an address, as a sentence; null when it is allowed. */
export function robotsRefusal(
  host: Pick<Host, 'robots' | 'robots_rules' | 'host'>,
  url: string,
): string | null {
  if (host.robots_rules !== null)
    return isAllowedByRules(readRobotsRules(host.robots_rules), url)
      ? null
      : `The robots.txt of ${host.host} does not allow this page.`;
  return host.robots === 'unreachable'
    ? `The robots.txt of ${host.host} cannot be read, so its pages are not checked.`
    : null;
}
