function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Another connection holds the lock: trying again can help (sqlite.org/rescode.html). */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** The disk is full, read-only or broken: nothing can be stored until somebody mends it. */
export function isStorageFault(error: unknown): boolean {
  return /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(codeOf(error));
}
