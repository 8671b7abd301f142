import { DomainError } from '#shared/errors';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that must clean up when the command is stopped: its signal aborts on SIGINT and SIGTERM, with a refusal. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (name: NodeJS.Signals): void =>
    stop.abort(
      new DomainError('Unavailable', {
        code: 'stopped',
        message: `Stopped by ${name}. Nothing was changed, and nothing is left of the unfinished copy.`,
      }),
    );
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}
