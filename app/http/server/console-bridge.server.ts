import { format } from 'node:util';
import type { Logger } from '#shared/logger.server';

const LEVELS = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'error' } as const;

/**
 * Turns what libraries print (remix-serve's greeting, React's and Express's complaints) into log events,
 * so that standard output holds one JSON object per line. Applies to the whole process.
 */
export function sendConsoleToLog(log: Logger, target: Console = console): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, 'info'][]) {
    target[method] = (...values: unknown[]) => {
      // remix-serve hands console.error to server.close, which calls it with nothing when all went well.
      if (values.every((value) => value === undefined)) return;
      const error = values.find((value) => value instanceof Error);
      log[level]({ source: 'console', ...(error && { err: error }) }, format(...values));
    };
  }
}
