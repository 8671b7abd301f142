import type { CompiledQuery } from 'kysely';
import { DomainError } from '../errors';

const hasNul = (value: unknown): value is string => typeof value === 'string' && value.includes('\0');

/**
 * The parameters of a query as both engines take them: PostgreSQL stores no U+0000 (22021), and SQLite's functions end at
 * it (sqlite.org/nulinstr.html). In a `select`, U+FFFD replaces it, as in a browser (HTML standard, 13.2.5). Throws
 * `Invalid` (`invalid_text`) when a text with U+0000 is to be stored.
 */
export function storableParameters({
  query,
  parameters,
}: Pick<CompiledQuery, 'query' | 'parameters'>): readonly unknown[] {
  if (!parameters.some(hasNul)) return parameters;
  if (query.kind === 'SelectQueryNode')
    return parameters.map((value) => (hasNul(value) ? value.replaceAll('\0', '\ufffd') : value));
  throw new DomainError('Invalid', {
    code: 'invalid_text',
    message: 'The text contains a character that cannot be stored (U+0000). Remove it and try again.',
  });
}
