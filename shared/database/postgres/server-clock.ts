import { sql, type Kysely } from 'kysely';
import { SECOND } from '../../clock';
import { machineClock, type MachineClock } from '../../machine-clock.server';
import { repeat, type Repeated } from '../../repeat';
import type { Schema } from '../schema';

const MEASURE_EVERY_MS = 10 * SECOND;
/** A round trip as short as this is measured once; a longer one several times, of which the shortest counts. */
const SHORT_MS = 20;
const MEASURE_AT_MOST = 5;
/** The monotonic clock stands still while the machine sleeps. A smaller difference is not told from the uptime's precision. */
const SLEPT_MS = SECOND / 10;

/** The server's time (epoch ms) at a time of this process (`performance`), both with fractions. */
interface Measurement {
  serverMs: number;
  atMs: number;
  /** The server's time is right within this. */
  withinMs: number;
  /** The machine's uptime then. */
  uptimeMs: number;
}

/** Reads the server's clock. The wait for a connection is not part of the measured round trip. */
function measureOnce(db: Kysely<Schema>, machine: MachineClock): Promise<Measurement> {
  return db.connection().execute(async (connection) => {
    const uptimeMs = machine.uptime();
    const before = performance.now();
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(connection);
    const withinMs = (performance.now() - before) / 2;
    return { serverMs: rows[0]?.ms ?? Number.NaN, atMs: before + withinMs, withinMs, uptimeMs };
  });
}

/**
 * A clock that tells the time of the PostgreSQL server: measured with half a round trip's accuracy, and advanced by the
 * monotonic clock of this process in between, so that a machine whose clock is wrong or is set reads the same time as all
 * others.
 */
export function createServerClock(db: Kysely<Schema>, machine: MachineClock = machineClock) {
  let measured: Measurement | null = null;
  let measuring: Promise<void> | null = null;
  let measurements: Repeated | null = null;

  const timeAt = ({ serverMs, atMs }: Measurement, at: number): number => serverMs + (at - atMs);
  const now = (): number =>
    measured === null ? machine.now() : Math.floor(timeAt(measured, performance.now()));

  const hasSlept = ({ uptimeMs, atMs }: Measurement): boolean =>
    machine.uptime() - uptimeMs - (performance.now() - atMs) > SLEPT_MS;

  async function measure(): Promise<void> {
    let best = await measureOnce(db, machine);
    for (let count = 1; count < MEASURE_AT_MOST && best.withinMs * 2 > SHORT_MS; count += 1) {
      const next = await measureOnce(db, machine);
      if (next.withinMs < best.withinMs) best = next;
    }
    // The time does not jump to and fro within the error of a measurement.
    const agrees =
      measured !== null &&
      !hasSlept(measured) &&
      Math.abs(timeAt(measured, best.atMs) - best.serverMs) <= best.withinMs;
    if (!agrees) measured = best;
  }

  const measureNow = (): Promise<void> => (measuring ??= measure().finally(() => (measuring = null)));

  return {
    now,
    uptime: machine.uptime,
    async start() {
      await measureNow();
      // A measurement that fails leaves the last one, which the monotonic clock continues.
      measurements = repeat(measureNow, { everyMs: MEASURE_EVERY_MS, onFailure: () => undefined });
    },
    async stop() {
      await measurements?.stop();
    },
    machineAheadMs: () => machine.now() - now(),
    async catchUp() {
      if (measured === null || hasSlept(measured)) await measureNow();
    },
  };
}
