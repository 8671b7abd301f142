import { sql } from 'kysely';
import { SECOND } from '../clock';
import type { Logger } from '../logger.server';
import { isUnreachable, levelOf } from './database-errors';
import type { Database } from './schema';

const ASK_EVERY_MS = SECOND;

/** Logs the failures of work that is repeated, or that a page can do without. */
export interface OutageLog {
  /**
   * Logs an error; a locked database as a warning. While its server cannot be reached, only the first: one warning, and one
   * line when it is back, however much fails in between.
   */
  failed(error: unknown, message: string): void;
  /** Whether the server could not be reached at the last failure, and has not answered since. */
  isOut(): boolean;
}

/** `db`: asked once a second during an outage whether it is over. */
export function createOutageLog(db: Database, log: Pick<Logger, 'info' | 'warn' | 'error'>): OutageLog {
  let isOut = false;

  function ask(startedAt: number): void {
    // Keeps no process alive.
    setTimeout(() => {
      sql`select 1`.execute(db).then(
        () => {
          isOut = false;
          log.info({ ms: Math.round(performance.now() - startedAt) }, 'the database responds again');
        },
        (error: unknown) => {
          if (isUnreachable(error)) ask(startedAt);
          // Closed, as the process ends.
          else isOut = false;
        },
      );
    }, ASK_EVERY_MS).unref();
  }

  return {
    failed(error, message) {
      if (!isUnreachable(error)) return log[levelOf(error)]({ err: error }, message);
      if (isOut) return;
      isOut = true;
      log.warn({ err: error }, `${message}: the database does not answer`);
      ask(performance.now());
    },
    isOut: () => isOut,
  };
}
