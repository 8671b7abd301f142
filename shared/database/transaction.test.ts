import { expect, test } from 'vitest';
import { ConnectionFault, UnknownCommitError } from './postgres/connection-fault';
import { retryWhileAway } from './transaction';

/** Fails with each error in turn, then returns the number of attempts. */
function failingWith(errors: readonly Error[]) {
  let attempts = 0;
  return async () => {
    const error = errors[attempts];
    attempts += 1;
    if (error !== undefined) throw error;
    return attempts;
  };
}

const refused = new ConnectionFault(new Error('connect ECONNREFUSED'));

test('an attempt is repeated while the server is offline, and when the outcome of a commit is unknown', async () => {
  const attempt = failingWith([refused, new UnknownCommitError(refused), refused]);
  expect(await retryWhileAway(attempt)).toBe(4);
});

test('an attempt that fails with another error is not repeated', async () => {
  const fault = new Error('a bug');
  await expect(retryWhileAway(failingWith([fault]))).rejects.toBe(fault);
  const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  await expect(retryWhileAway(failingWith([locked]))).rejects.toBe(locked);
});

test('a stop ends the wait with the error of the last attempt', async () => {
  const stop = new AbortController();
  const attempt = async () => {
    stop.abort();
    throw refused;
  };
  await expect(retryWhileAway(attempt, stop.signal)).rejects.toBe(refused);
});
