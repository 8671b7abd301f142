/** Work that is repeated until it is stopped. */
export interface Repeated {
  /** Begins no further run, and resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Runs work at once, and again `everyMs` after each run has ended: runs never overlap. Keeps no process alive. */
export function repeat(
  work: () => Promise<void>,
  { everyMs, onFailure }: { everyMs: number; onFailure: (error: unknown) => void },
): Repeated {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let running: Promise<void>;

  function run(): void {
    running = work()
      .catch(onFailure)
      .finally(() => {
        if (!stopped) timer = setTimeout(run, everyMs).unref();
      });
  }

  run();
  return {
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
