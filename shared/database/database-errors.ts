import { ConnectionFault } from './postgres/connection-fault';

/** The code of an error of the database or of the operating system; empty for other errors. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** The SQLSTATE of an error of PostgreSQL (postgresql.org/docs/current/errcodes-appendix.html); empty for other errors. */
function sqlStateOf(error: unknown): string {
  const code = codeOf(error);
  // Errors of the operating system have short codes as well (EPERM), and no severity.
  return /^[0-9A-Z]{5}$/.test(code) && typeof error === 'object' && error !== null && 'severity' in error
    ? code
    : '';
}

/**
 * Trying again later can help: another connection holds the lock (sqlite.org/rescode.html), or the database server cannot
 * be reached, restarts, has no connection free or ended the statement.
 */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code.startsWith('SQLITE_BUSY') ||
    code.startsWith('SQLITE_LOCKED') ||
    error instanceof ConnectionFault ||
    // Serialization failure, deadlock, too many connections, lock timeout, statement timeout, restart.
    /^(?:40001|40P01|53300|55P03|57014|57P0[1-3]|25P03)$/.test(sqlStateOf(error))
  );
}

/** The database server cannot be reached, is starting or stopping, or has no connection free. Never true of SQLite. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionFault || /^(?:53300|57P0[1-3])$/.test(sqlStateOf(error));
}

/** The server is read-only: after a failover the address leads to the new primary soon, or an operator must help. */
export function isReadOnlyServer(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** The connection was lost during a commit, and the server cannot tell whether the transaction was carried out. */
export function isUnknownCommit(error: unknown): boolean {
  return codeOf(error) === 'POSTGRES_COMMIT_UNKNOWN';
}

/** The disk is full, read-only or broken: retrying does not help until an operator repairs it. */
export function isStorageFault(error: unknown): boolean {
  return (
    /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(codeOf(error)) ||
    // Read-only (a standby), disk full, system error, data corrupted.
    /^(?:25006|53100|58...|XX00[12])$/.test(sqlStateOf(error))
  );
}

/** The log level of an error that work ended with: a fault of the database is a warning, because the work is repeated. */
export function levelOf(error: unknown): 'warn' | 'error' {
  return isBusy(error) || isReadOnlyServer(error) || isUnknownCommit(error) ? 'warn' : 'error';
}

/** The database refused rows that break a constraint of a table (SQLSTATE class 23). */
export function isConstraintError(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_CONSTRAINT') || sqlStateOf(error).startsWith('23');
}

function describeSqliteFault(code: string): string | null {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return 'The database is locked by another process.';
  if (code.startsWith('SQLITE_FULL')) return 'The disk of the database is full.';
  if (code.startsWith('SQLITE_READONLY')) return 'The database is read-only for this process.';
  if (code.startsWith('SQLITE_CANTOPEN')) return 'The database file cannot be opened.';
  if (code.startsWith('SQLITE_NOTADB')) return 'The database file is not an SQLite database.';
  if (code.startsWith('SQLITE_CORRUPT')) return 'The database file is damaged: restore a backup.';
  if (code.startsWith('SQLITE_IOERR')) return `The disk of the database cannot be read or written (${code}).`;
  return null;
}

/** By SQLSTATE; the first that matches. */
const SERVER_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'The database server refuses the sign-in: check the user and password of DATABASE_URL.'],
  [/^3D000$/, 'The database server has no database of the name in DATABASE_URL: create it.'],
  [/^42501$/, 'The user of DATABASE_URL lacks a right in the database.'],
  [/^53300$/, 'The database server has no connection free.'],
  [/^53100$/, 'The disk of the database server is full.'],
  [/^25006$/, 'The database server is read-only: it may be a standby.'],
  [/^(?:58|XX00[12])/, 'The disk of the database server cannot be read or written.'],
  [/^57P0/, 'The database server is starting or stopping.'],
  [/^(?:40P01|55P03)$/, 'The database is locked by another process.'],
  [/^57014$/, 'The database server needed too long for a statement.'],
];

/** Describes a fault of the database, its disk or its server for operators; null for other errors. */
export function describeDatabaseFault(error: unknown): string | null {
  if (isUnknownCommit(error))
    return 'The database server was interrupted, and cannot tell whether the last change was saved.';
  if (error instanceof ConnectionFault) return `The database server does not answer (${error.message}).`;
  const state = sqlStateOf(error);
  if (state === '') return describeSqliteFault(codeOf(error));
  const [, sentence] = SERVER_FAULTS.find(([pattern]) => pattern.test(state)) ?? [];
  return sentence === undefined ? null : `${sentence.slice(0, -1)} (${state}).`;
}
