import type { Database } from './schema';

/**
 * Which other transactions a transaction may run beside, on PostgreSQL. Without a scope it runs alone. With one it runs
 * beside all others that have a scope, but for those of the same account or watch: choose one only for a call that is made
 * often, and whose rows no call of another scope changes. `statement`: it is one statement that repeats its own condition,
 * so that no lock of a key is needed (postgresql.org/docs/current/transaction-iso.html, 13.2.1).
 * With a scope, the first query of the work is sent before the locks are held: a time that must not be older than them is
 * read after it.
 */
export type Scope = { account: string } | { watch: string } | 'statement';

/** The scopes of the transactions that are under way. */
const scopes = new WeakMap<Database, Scope>();

/** Notes the scope of a transaction that has begun. */
export function noteScope(trx: Database, scope: Scope): void {
  scopes.set(trx, scope);
}

/** Throws if work of `scope` must not join a transaction, which holds too few locks for it. */
export function requireScope(trx: Database, scope: Scope | undefined): void {
  const held = scopes.get(trx);
  if (held === undefined || JSON.stringify(held) === JSON.stringify(scope)) return;
  throw new Error(
    `a transaction of the scope ${JSON.stringify(held)} cannot do work of ${JSON.stringify(scope)}`,
  );
}
