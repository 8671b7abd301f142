/**
 * PostgreSQL cannot be reached, its connection was lost, or it did not answer in time. A transaction with this error was
 * not committed.
 */
export class ConnectionFault extends Error {
  override name = 'ConnectionFault';
  readonly code: string = 'POSTGRES_CONNECTION';

  constructor(cause: unknown) {
    const code =
      typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
        ? cause.code
        : '';
    // Several addresses failed: an AggregateError without a message (Node's `net.connect`, autoSelectFamily).
    super((cause instanceof Error ? cause.message : String(cause)) || code, { cause });
  }
}

/** The connection was lost after `commit` was sent, and its outcome is unknown. */
export class UnknownCommitError extends Error {
  override name = 'UnknownCommitError';
  readonly code = 'POSTGRES_COMMIT_UNKNOWN';

  constructor(cause: unknown) {
    super('the connection was lost during a commit, and it is unknown whether the commit holds', { cause });
  }
}
