import type { Insertable } from 'kysely';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { AlertsTable } from '#shared/database/tables/monitor/alerts';
import type { WatchesTable } from '#shared/database/tables/monitor/watches';
import { newId } from '#shared/ids';

/** Adds a watch that is running and saw the open shop at `now` (epoch ms). */
export async function addWatch(
  db: Database,
  slug: string,
  now: number,
  changes: Partial<Insertable<WatchesTable>> = {},
): Promise<void> {
  await db
    .insertInto('watches')
    .values({
      id: slug,
      slug,
      shop: slug,
      title: slug,
      url: `https://${slug}.example/`,
      time_zone: 'Europe/London',
      hours: '0-24',
      interval_seconds: 60,
      running: 1,
      last_verdict: 'open',
      last_checked_at: toIso(now),
      last_conclusive_at: toIso(now),
      ...changes,
    })
    .execute();
}

/** Has a daemon answer at `now` (epoch ms). */
export async function addHeartbeat(db: Database, now: number): Promise<void> {
  const at = { started_at: toIso(now - HOUR), beat_at: toIso(now), stopped_at: null };
  await db
    .insertInto('daemon_heartbeats')
    .values({ id: newId(), host: 'test', pid: 1, redis_ok: 1, ...at })
    .execute();
}

interface AddedAlert {
  watchId?: string;
  /** Epoch ms. */
  openedAt: number;
  /** Null: it is still open. */
  lastedMs: number | null;
  /** When each message was accepted, in ms after the opening; null: it was cancelled. */
  instantMs?: number | null;
  freeMs?: number | null;
  changes?: Partial<Insertable<AlertsTable>>;
}

/** Adds an alert with the deliveries of both audiences. */
export async function addAlert(
  db: Database,
  {
    watchId = DEFAULT_WATCH_ID,
    openedAt,
    lastedMs,
    instantMs = 90,
    freeMs = 30 * SECOND + 190,
    changes = {},
  }: AddedAlert,
): Promise<void> {
  const id = newId();
  const closedAt = lastedMs === null ? null : toIso(openedAt + lastedMs);
  await db
    .insertInto('alerts')
    .values({
      id,
      watch_id: watchId,
      target_url: 'https://shop.example/',
      status: lastedMs === null ? 'open' : 'closed',
      strength: 'strong',
      opened_at: toIso(openedAt),
      last_seen_at: closedAt ?? toIso(openedAt),
      closed_at: closedAt,
      close_reason: null,
      suspended_at: null,
      revision: 1,
      opening_check_id: id,
      closing_check_id: null,
      ...changes,
    })
    .execute();
  const sent = { instant: instantMs, free: freeMs };
  await db
    .insertInto('alert_deliveries')
    .values(
      (['instant', 'free'] as const).map((audience) => {
        const ms = sent[audience];
        return {
          id: newId(),
          alert_id: id,
          notice_id: null,
          audience,
          channel: 'discord' as const,
          destination: watchId,
          status: ms === null ? ('cancelled' as const) : ('sent' as const),
          due_at: toIso(openedAt),
          expires_at: toIso(openedAt + 10 * MINUTE),
          claimed_by: null,
          claimed_until: null,
          message_id: ms === null ? null : '1',
          sealed_webhook: null,
          sent_at: ms === null ? null : toIso(openedAt + ms),
          response_ms: 90,
          last_status: 200,
          last_error: null,
          handled_at: null,
          created_at: toIso(openedAt),
          updated_at: toIso(openedAt),
        };
      }),
    )
    .execute();
}
