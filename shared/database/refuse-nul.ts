import { DomainError } from '../errors';

/**
 * Throws `Invalid` (`invalid_text`) for a text with U+0000: PostgreSQL stores none (22021), and SQLite's functions end at
 * it (sqlite.org/nulinstr.html). So both engines refuse it. `values`: the parameters of a query.
 */
export function refuseNul(values: readonly unknown[]): void {
  for (const value of values)
    if (typeof value === 'string' && value.includes('\0'))
      throw new DomainError('Invalid', {
        code: 'invalid_text',
        message: 'The text contains a character that cannot be stored (U+0000). Remove it and try again.',
      });
}
