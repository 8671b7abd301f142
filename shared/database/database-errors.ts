/** The code of an error of SQLite or of the operating system; empty for other errors. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Another connection holds the lock: trying again can help (sqlite.org/rescode.html). */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** The disk is full, read-only or broken: retrying does not help until an operator repairs it. */
export function isStorageFault(error: unknown): boolean {
  return /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(codeOf(error));
}

/**
 * Describes a fault of the database file or its disk for operators; null for other errors (sqlite.org/rescode.html).
 */
export function describeDatabaseFault(error: unknown): string | null {
  if (isBusy(error)) return 'The database is locked by another process.';
  if (!isStorageFault(error)) return null;
  const code = codeOf(error);
  if (code.startsWith('SQLITE_FULL')) return 'The disk of the database is full.';
  if (code.startsWith('SQLITE_READONLY')) return 'The database is read-only for this process.';
  if (code.startsWith('SQLITE_CANTOPEN')) return 'The database file cannot be opened.';
  if (code.startsWith('SQLITE_NOTADB')) return 'The database file is not an SQLite database.';
  if (code.startsWith('SQLITE_CORRUPT')) return 'The database file is damaged: restore a backup.';
  return `The disk of the database cannot be read or written (${code}).`;
}
