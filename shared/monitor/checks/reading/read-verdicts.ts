import type { Selectable } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/schema';
import type { MonitorChecksTable } from '../../../database/tables/monitor/monitor-checks';

/** Rows read per query; the event loop runs other work between two queries. */
const VERDICTS_PER_STEP = 1_000;

export type VerdictRow = Pick<
  Selectable<MonitorChecksTable>,
  'id' | 'check_timestamp' | 'verdict' | 'response_time_ms'
>;

/** Reads the verdicts of a watch since a time (ISO), oldest first, from the index alone, yielding to the event loop. */
export async function* readVerdicts(
  db: Database,
  watchId: string,
  since: string,
): AsyncGenerator<VerdictRow> {
  let last: VerdictRow | undefined;
  for (;;) {
    const older = last;
    const query = db
      .selectFrom('monitor_checks')
      .select(['id', 'check_timestamp', 'verdict', 'response_time_ms'])
      .where('watch_id', '=', watchId);
    const rows = await (
      older === undefined
        ? query.where('check_timestamp', '>=', since)
        : query.where((where) =>
            where(where.refTuple('check_timestamp', 'id'), '>', where.tuple(older.check_timestamp, older.id)),
          )
    )
      .orderBy('check_timestamp')
      .orderBy('id')
      .limit(VERDICTS_PER_STEP)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (rows.length < VERDICTS_PER_STEP) return;
    await nextTurn();
  }
}
