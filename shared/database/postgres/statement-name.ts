import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';

/** A query that PostgreSQL parses and plans once for each connection, under this name. SQLite ignores the name. */
export interface NamedQuery<Row = unknown> extends CompiledQuery<Row> {
  statementName?: string;
}

/** Gives a query that is executed often a name of its text. */
export function nameStatement<Row>(query: CompiledQuery<Row>): NamedQuery<Row> {
  return { ...query, statementName: createHash('sha256').update(query.sql).digest('base64url').slice(0, 22) };
}
