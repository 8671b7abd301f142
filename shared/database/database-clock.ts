import { SECOND } from '../clock';
import { DomainError } from '../errors';
import { machineClock, type MachineClock } from '../machine-clock.server';
import { isPostgres } from './postgres/is-postgres';
import { createServerClock } from './postgres/server-clock';
import type { Database } from './schema';

/** The one clock that stored times are written by and compared with. */
export interface DatabaseClock extends MachineClock {
  /** Measures the database's clock, and again every ten seconds until `stop`. Before it the machine's clock is read. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** How far the wall clock of this machine is ahead (ms); negative: behind. */
  machineAheadMs(): number;
  /**
   * Measures again if the machine has slept since the last time, and throws if the database does not answer. Null: the
   * clock is that of the machine, whose steps the stored times follow.
   */
  catchUp: (() => Promise<void>) | null;
}

/** BullMQ plans jobs by the clock of each machine; from this difference on, they run early or late by seconds. */
const NAMED_FROM_MS = 2 * SECOND;
/** From this difference on, no daemon starts. */
const REFUSED_FROM_MS = 30 * SECOND;

/** The clock of a machine as that of the database that only this machine uses. */
export function asDatabaseClock(machine: MachineClock): DatabaseClock {
  return {
    now: machine.now,
    uptime: machine.uptime,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    machineAheadMs: () => 0,
    catchUp: null,
  };
}

/** The clock of a database: the server's on PostgreSQL, else the machine's. */
export function createDatabaseClock(db: Database): DatabaseClock {
  return isPostgres(db) ? createServerClock(db) : asDatabaseClock(machineClock);
}

/** In a sentence for an operator, why the clock of this machine is wrong, or null. */
export function findClockFault(clock: Pick<DatabaseClock, 'machineAheadMs'>): string | null {
  const aheadMs = clock.machineAheadMs();
  if (Math.abs(aheadMs) <= NAMED_FROM_MS) return null;
  const seconds = (Math.abs(aheadMs) / SECOND).toFixed(1);
  return `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's: correct it (NTP). The jobs in Redis run by it.`;
}

/** Throws when the machine's clock is too far from the database's for a daemon to start. */
export function requireNearClock(clock: Pick<DatabaseClock, 'machineAheadMs'>): void {
  if (Math.abs(clock.machineAheadMs()) <= REFUSED_FROM_MS) return;
  throw new DomainError('Unavailable', {
    code: 'clock_too_far',
    message: `${findClockFault(clock)} From 30 seconds on no daemon starts.`,
  });
}
