import type { Audience } from '#shared/alerts/webhooks/webhooks';
import type { Clock } from '#shared/clock';
import { readContentVersion } from '#shared/content/content-version';
import type { Database } from '#shared/database/schema';
import { shareReads } from '#shared/database/share-reads';
import { readStatusVersion, type StatusVersion } from '#shared/status/status-version.server';

/**
 * The versions by which pages are cached, read from the database so that all processes agree. Concurrent requests share a
 * read, and each gets one that started after it arrived (`shareReads`): a page cache needs at most one query at a time.
 */
export interface PageVersions {
  content(): Promise<number>;
  /** Reads the version of content and status that `audience` sees now. */
  status(audience: Audience): Promise<StatusVersion>;
}

export function createPageVersions(db: Database, clock: Clock): PageVersions {
  const statusOf = (audience: Audience) =>
    shareReads(() => readStatusVersion(db, { now: clock.now(), audience }));
  const status = { free: statusOf('free'), instant: statusOf('instant'), admin: statusOf('admin') };
  return {
    content: shareReads(() => readContentVersion(db)),
    status: (audience) => status[audience](),
  };
}
