import { sql } from 'kysely';
import { SECOND } from '../clock';
import { findClockFault, type DatabaseClock } from '../database/database-clock';
import type { Database } from '../database/schema';
import { findLogFault } from '../database/upkeep';
import { inTime } from '../in-time';
import { listFaults } from '../payments/payment-faults';
import { readDaemonStatus, type DaemonStatus } from '../monitor/heartbeat';

export interface Health {
  /**
   * `degraded`: pages are served, but Redis or the daemon is offline, files cannot be stored, payments have a fault, the
   * write-ahead log is too large, or the machine's clock is not the database's. `down`: the database does not respond.
   */
  status: 'ok' | 'degraded' | 'down';
  database: { ok: boolean };
  redis: { ok: boolean };
  /** Whether uploads and releases can be stored. */
  storage: { ok: boolean };
  /** Whether Stripe can be asked, and knows what the database knows. */
  payments: { ok: boolean };
  /** Whether the database's write-ahead log has its usual size; if too large, it may fill the disk. */
  writeAheadLog: { ok: boolean };
  /** Whether the clock of the machine that answers is that of the database; `reason`: a sentence for an operator. */
  clock: { ok: boolean; reason?: string };
  daemon: DaemonStatus;
}

/**
 * How long the database has to answer. Together with the limits for Redis and for files, shorter than the usual timeout of a
 * probe. A server that is silent, as behind a broken network, answers a query only by its timeout, which is far longer.
 */
export const DATABASE_LIMIT_MS = 3 * SECOND;

/**
 * Reads the health for monitoring probes. Never throws. `pingRedis`: whether Redis answers; it has a limit of time. Redis
 * also counts as down when no daemon can write to it. `findFileFault`: why files cannot be stored, or null. `limitMs`: how
 * long the database has to answer.
 */
export async function readHealth({
  db,
  pingRedis,
  clock,
  findFileFault,
  limitMs = DATABASE_LIMIT_MS,
}: {
  db: Database;
  pingRedis: () => Promise<boolean>;
  clock: DatabaseClock;
  findFileFault: () => Promise<string | null>;
  limitMs?: number;
}): Promise<Health> {
  const [answers, fileFault] = await Promise.all([pingRedis(), findFileFault()]);
  const storage = { ok: fileFault === null };
  const clockFault = findClockFault(clock);
  const clockPart = clockFault === null ? { ok: true } : { ok: false, reason: clockFault };
  async function readStored() {
    await sql`select 1`.execute(db);
    return {
      ...(await readDaemonStatus(db, clock.now())),
      payments: { ok: (await listFaults(db)).length === 0 },
      writeAheadLog: { ok: (await findLogFault(db)) === null },
    };
  }
  try {
    const { online, lastHeartbeat, redisFault, payments, writeAheadLog } = await inTime(
      limitMs,
      readStored(),
    );
    const redisOk = answers && redisFault === null;
    const isWell = redisOk && online && storage.ok && payments.ok && writeAheadLog.ok && clockPart.ok;
    return {
      status: isWell ? 'ok' : 'degraded',
      database: { ok: true },
      redis: { ok: redisOk },
      storage,
      payments,
      writeAheadLog,
      clock: clockPart,
      daemon: { online, lastHeartbeat },
    };
  } catch {
    return {
      status: 'down',
      database: { ok: false },
      redis: { ok: answers },
      storage,
      payments: { ok: false },
      writeAheadLog: { ok: false },
      clock: clockPart,
      daemon: { online: false, lastHeartbeat: null },
    };
  }
}
