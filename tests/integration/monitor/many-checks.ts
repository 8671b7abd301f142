import { sql } from 'kysely';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { isPostgres } from '#shared/database/postgres/is-postgres';

/** Evidence as large as that of a check of the real shop: about two kilobytes. */
const ANALYSIS = JSON.stringify({
  verdict: 'open',
  strength: null,
  unknownReason: null,
  reason: 'Products are on sale.',
  signs: Array.from({ length: 10 }, (_unused, index) => ({
    id: `sign-${index}`,
    pointsTo: 'open',
    weight: 10,
    evidence: 'x'.repeat(80),
  })),
  slow: false,
  short: false,
});
const HEADERS = JSON.stringify(
  Object.fromEntries(Array.from({ length: 12 }, (_unused, index) => [`header-${index}`, 'y'.repeat(40)])),
);

/**
 * Adds `count` checks in one statement (about 100,000 a second): the newest at `newest` (epoch ms), one every
 * `intervalMs`. Every hundredth check saw a waiting room. The newest one becomes the watch's last check.
 */
export async function addManyChecks(
  db: Database,
  { count, newest, intervalMs = 15 * SECOND }: { count: number; newest: number; intervalMs?: number },
): Promise<void> {
  const seconds = sql`(${sql.lit(newest / SECOND)} - n * ${sql.lit(intervalMs / SECOND)})`;
  const [at, randomText] = isPostgres(db)
    ? [
        sql`to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        sql`substr(md5(random()::text), 1, 24)`,
      ]
    : [sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`, sql`lower(hex(randomblob(12)))`];
  await sql`
    with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${sql.lit(count - 1)})
    insert into monitor_checks (id, "trigger", started_at, check_timestamp, target_url, final_url, verdict, strength, reason,
      queue_detected, response_time_ms, http_status_code, raw_response_length, scrappey_status, content_analysis,
      response_headers)
    select ${randomText} || '-' || substr(cast(100000000 + n as text), 2), 'schedule', ${at}, ${at}, 'https://shop.example/',
      'https://shop.example/', case when n % 100 = 99 then 'waiting_room' else 'open' end,
      case when n % 100 = 99 then 'strong' end, 'Products are on sale.', case when n % 100 = 99 then 1 else 0 end, 200 + n % 300, 200, 90000,
      'disabled', ${ANALYSIS}, ${HEADERS}
    from numbers`.execute(db);
  const last = await db
    .selectFrom('monitor_checks')
    .select('id')
    .orderBy('check_timestamp', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('watches')
    .set({
      last_check_id: last.id,
      last_verdict: 'open',
      last_checked_at: toIso(newest),
      last_conclusive_at: toIso(newest),
    })
    .where('id', '=', DEFAULT_WATCH_ID)
    .execute();
}
