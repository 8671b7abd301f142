import { sql } from 'kysely';
import { findClockFault, type DatabaseClock } from '../database/database-clock';
import type { Database } from '../database/schema';
import { findLogFault } from '../database/upkeep';
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
  /** Whether the database's write-ahead log has its usual size; too large, it fills the disk in the end. */
  writeAheadLog: { ok: boolean };
  /** Whether the clock of the machine that answers is that of the database; `reason`: a sentence for an operator. */
  clock: { ok: boolean; reason?: string };
  daemon: DaemonStatus;
}

/**
 * Reads the health for monitoring probes. Never throws. `pingRedis`: whether Redis answers; it has a limit of time. Redis
 * also counts as down when no daemon can write to it. `findFileFault`: why files cannot be stored, or null.
 */
export async function readHealth({
  db,
  pingRedis,
  clock,
  findFileFault,
}: {
  db: Database;
  pingRedis: () => Promise<boolean>;
  clock: DatabaseClock;
  findFileFault: () => Promise<string | null>;
}): Promise<Health> {
  const [answers, fileFault] = await Promise.all([pingRedis(), findFileFault()]);
  const storage = { ok: fileFault === null };
  const clockFault = findClockFault(clock);
  const clockPart = clockFault === null ? { ok: true } : { ok: false, reason: clockFault };
  try {
    await sql`select 1`.execute(db);
    const { online, lastHeartbeat, redisFault } = await readDaemonStatus(db, clock.now());
    const redisOk = answers && redisFault === null;
    const payments = { ok: (await listFaults(db)).length === 0 };
    const writeAheadLog = { ok: (await findLogFault(db)) === null };
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
