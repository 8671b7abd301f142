import { SECOND } from '../clock';
import type { Logger } from '../logger.server';

/** Ctrl-C reaches a process twice, from the terminal and from its parent: a repeated signal within this time is ignored. */
const REPEATED_SIGNAL_MS = SECOND / 2;

export interface ShutdownOptions {
  logger: Logger;
  /** Ends the work and closes the connections of the process, within its own time limit. */
  close(): Promise<void>;
  exit?(code: number): void;
  /** Monotonic milliseconds. */
  elapsedMs?(): number;
}

/** The shutdown of a process: closes, then exits with 0, or 1 if closing failed; a second call after 0.5 s exits at once. */
export function createShutdown({
  logger,
  close,
  exit = (code) => process.exit(code),
  elapsedMs = () => performance.now(),
}: ShutdownOptions): (cause: string) => Promise<void> {
  let startedAt: number | null = null;
  return async (cause) => {
    if (startedAt !== null) {
      if (elapsedMs() - startedAt < REPEATED_SIGNAL_MS) return;
      logger.warn({ cause }, 'stopping at once');
      exit(1);
      return;
    }
    startedAt = elapsedMs();
    logger.info({ cause }, 'stopping');
    try {
      await close();
      logger.info('stopped');
      exit(0);
    } catch (error) {
      logger.error({ err: error }, 'closing failed');
      exit(1);
    }
  };
}

/** Shuts the process down on SIGTERM and SIGINT, and when the parent that started it with an IPC channel has ended. */
export function shutDownOnSignals(options: ShutdownOptions): void {
  const shutDown = createShutdown(options);
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  process.on('SIGINT', () => void shutDown('SIGINT'));
  const parentEnded = () => void shutDown('the parent process has ended');
  process.on('disconnect', parentEnded);
  // `undefined` without an IPC channel.
  if (process.connected === false) parentEnded();
}
