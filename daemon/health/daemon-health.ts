import { SECOND } from '#shared/clock';
import type { DatabaseClock } from '#shared/database/database-clock';
import type { Database } from '#shared/database/schema';
import { describeDatabaseFault } from '#shared/database/database-errors';
import type { WriteRetrier } from '#shared/database/write-retrier';
import { listFaults } from '#shared/payments/payment-faults';
import { inTime } from '#shared/in-time';
import { DATABASE_LIMIT_MS, readHealth, type Health } from '#shared/status/health.server';
import { writeHeartbeatWithin, type DaemonInstance } from '#shared/monitor/heartbeat';
import type { RedisProbe } from './redis-probe';

/** `reason` is one sentence for an operator, present when `ok` is false. */
interface Part {
  ok: boolean;
  reason?: string;
}

export interface DaemonHealth extends Health {
  /** Whether the daemon can check and deliver right now. */
  ok: boolean;
  database: Part;
  redis: Part;
  /** Without it the daemon still checks and delivers. */
  storage: Part;
  writeAheadLog: Part;
  /** Without them the daemon still checks and delivers. */
  payments: Part;
}

interface DaemonHealthContext {
  db: Database;
  clock: DatabaseClock;
  instance: DaemonInstance;
  probeRedis: RedisProbe;
  outcomes: Pick<WriteRetrier, 'waiting'>;
  /** The error with which storing the last check failed, or null. */
  storageFault(): unknown;
  /** Why files cannot be stored, or null. */
  findFileFault(): Promise<string | null>;
  /** Why the write-ahead log is too large, or null. */
  findLogFault(): Promise<string | null>;
  /** Free bytes on the file system of the database. */
  readFreeBytes(): Promise<number>;
}

/** A few checks and the growth of the write-ahead log need more than this. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
/** Shorter than the usual timeout of a probe. */
const LOCK_WAIT_MS = 2 * SECOND;
/** Probes within this time share one result, so frequent probes cause no extra writes. */
const RESULT_LIFETIME_MS = SECOND;

const SILENT: Part = { ok: false, reason: 'The database does not answer.' };

/** The faults of payments, in sentences. */
async function probePayments(db: Database, limitMs: number): Promise<Part> {
  try {
    const faults = await inTime(limitMs, listFaults(db));
    return faults.length === 0
      ? { ok: true }
      : { ok: false, reason: faults.map(({ reason }) => reason).join(' ') };
  } catch {
    return SILENT;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns a function that reports whether the daemon can check and deliver. It writes to the database and to Redis,
 * because either can be up and refuse writes (a full disk, a read-only file). The function never rejects.
 */
export function createDaemonHealth(context: DaemonHealthContext): () => Promise<DaemonHealth> {
  const {
    db,
    clock,
    instance,
    probeRedis,
    outcomes,
    storageFault,
    findFileFault,
    findLogFault,
    readFreeBytes,
  } = context;
  let current: { result: Promise<DaemonHealth>; until: number } | null = null;

  async function probeDatabase(redisFault: string | null): Promise<Part> {
    const free = await readFreeBytes().catch(() => Number.POSITIVE_INFINITY);
    if (free < MIN_FREE_BYTES) {
      const megabytes = Math.floor(free / (1024 * 1024));
      return { ok: false, reason: `The disk of the database is full: ${megabytes} MB are free.` };
    }
    try {
      await writeHeartbeatWithin(db, { instance, redisFault, now: clock.now() }, LOCK_WAIT_MS);
    } catch (error) {
      return {
        ok: false,
        reason: describeDatabaseFault(error) ?? `The database cannot be written: ${messageOf(error)}`,
      };
    }
    // A heartbeat is small: it can succeed where a check does not fit any more.
    const fault = storageFault();
    if (fault !== null)
      return {
        ok: false,
        reason: `The last check could not be stored. ${describeDatabaseFault(fault) ?? messageOf(fault)}`,
      };
    const waiting = outcomes.waiting();
    if (waiting > 0)
      return { ok: false, reason: `Outcomes of deliveries wait for the database: ${waiting}.` };
    return { ok: true };
  }

  async function probe(): Promise<DaemonHealth> {
    const [redisFault, fileFault, logFault] = await Promise.all([
      probeRedis(),
      findFileFault(),
      findLogFault(),
    ]);
    const redisPart = redisFault === null ? { ok: true } : { ok: false, reason: redisFault };
    // One limit for all that asks the database.
    const giveUpAt = performance.now() + DATABASE_LIMIT_MS;
    const limitMs = () => Math.max(0, giveUpAt - performance.now());
    const databasePart = await inTime(limitMs(), probeDatabase(redisFault)).catch(() => SILENT);
    const health = await readHealth({
      db,
      clock,
      pingRedis: () => Promise.resolve(redisPart.ok),
      findFileFault: () => Promise.resolve(fileFault),
      limitMs: limitMs(),
    });
    const database = health.database.ok || databasePart.reason !== undefined ? databasePart : SILENT;
    const ok = database.ok && redisPart.ok;
    return {
      ...health,
      status: (ok && logFault === null) || health.status === 'down' ? health.status : 'degraded',
      ok,
      database,
      redis: redisPart,
      storage: fileFault === null ? { ok: true } : { ok: false, reason: fileFault },
      writeAheadLog: logFault === null ? { ok: true } : { ok: false, reason: logFault },
      payments: await probePayments(db, limitMs()),
    };
  }

  return () => {
    if (current === null || performance.now() >= current.until) {
      const started = { result: probe(), until: Number.POSITIVE_INFINITY };
      current = started;
      const limitLifetime = () => (started.until = performance.now() + RESULT_LIFETIME_MS);
      // The caller handles a failure.
      void started.result.then(limitLifetime, limitLifetime);
    }
    return current.result;
  };
}
