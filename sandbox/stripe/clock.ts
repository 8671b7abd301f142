/** Work that falls due at a time, such as renewals, expiries and retries of webhooks. */
export interface Schedule {
  /** When the next piece of work is due, in epoch seconds. null: nothing is planned. */
  nextDue(): number | null;
  /** Does the work that is due now. `clock.now()` is the time at which it was due. Must advance `nextDue`. */
  run(): void;
}

/** The test clock: real time plus an offset that only grows. */
export interface Clock {
  /** Epoch seconds, a whole number. While scheduled work runs, the time at which that work was due. */
  now(): number;
  addSchedule(schedule: Schedule): void;
  /** Runs the work that is due by now, in the order of time. The REST layer calls it before each request. */
  catchUp(): void;
  /** Moves the clock forward and runs the work that falls due on the way, in the order of time. */
  advance(seconds: number): void;
  /** How far the clock is ahead of real time, in seconds. */
  offset(): number;
  /** Sets the clock; no work runs until `catchUp`. */
  setOffset(seconds: number): void;
  reset(): void;
}

/** More than any test needs: a schedule that does not advance its `nextDue` would never end. */
const MAX_STEPS = 100_000;

export function createClock(): Clock {
  const schedules: Schedule[] = [];
  let offset = 0;
  let runningAt: number | null = null;

  const realNow = () => Math.floor(Date.now() / 1000) + offset;

  function catchUp(): void {
    if (runningAt !== null) return;
    const until = realNow();
    try {
      for (let step = 0; step < MAX_STEPS; step += 1) {
        let next: { schedule: Schedule; due: number } | null = null;
        for (const schedule of schedules) {
          const due = schedule.nextDue();
          if (due !== null && due <= until && (!next || due < next.due)) next = { schedule, due };
        }
        if (!next) return;
        // Work that became due late runs at the time of the work before it.
        runningAt = Math.max(runningAt ?? next.due, next.due);
        next.schedule.run();
      }
      throw new Error(`sandbox: the Stripe clock ran ${MAX_STEPS} pieces of work and more is due`);
    } finally {
      runningAt = null;
    }
  }

  return {
    now: () => runningAt ?? realNow(),
    addSchedule: (schedule) => void schedules.push(schedule),
    catchUp,
    advance(seconds) {
      if (!Number.isInteger(seconds) || seconds < 0) throw new Error('advance takes whole seconds from 0');
      offset += seconds;
      catchUp();
    },
    offset: () => offset,
    setOffset(seconds) {
      offset = seconds;
    },
    reset() {
      offset = 0;
    },
  };
}
