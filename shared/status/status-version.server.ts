import { createHash } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from '../database/schema';

interface WatchVersion {
  id: string;
  running: 0 | 1;
  last_verdict: string | null;
}

// Compiled once: every request of a public page runs these queries.
let watchQuery: CompiledQuery<WatchVersion> | undefined;
let liveQuery: CompiledQuery<{ id: string; revision: number }> | undefined;
let newestQuery: CompiledQuery<{ id: string; revision: number }> | undefined;

/**
 * A version that changes with what the public status shows at once: the state of a watch, and an alert that opens, changes
 * or ends. Times of checks and of deliveries do not change it: with 200 watches one of them changes several times a second.
 */
export async function readStatusVersion(db: Kysely<Schema>): Promise<string> {
  watchQuery ??= db
    .selectFrom('watches')
    .select(['id', 'running', 'last_verdict'])
    .where('deleted_at', 'is', null)
    .orderBy('slug')
    .compile();
  liveQuery ??= db
    .selectFrom('alerts')
    .select(['id', 'revision'])
    .where('status', 'in', ['open', 'suspended'])
    .orderBy('id')
    .compile();
  // Once it has ended, an alert that was short must not leave the version as it was before.
  newestQuery ??= db
    .selectFrom('alerts')
    .select(['id', 'revision'])
    .orderBy('opened_at', 'desc')
    .limit(1)
    .compile();
  const hash = createHash('sha256');
  for (const { id, running, last_verdict } of (await db.executeQuery(watchQuery)).rows)
    hash.update(`${id} ${running} ${last_verdict}\n`);
  for (const query of [liveQuery, newestQuery])
    for (const { id, revision } of (await db.executeQuery(query)).rows) hash.update(`${id} ${revision}\n`);
  return hash.digest('base64url').slice(0, 22);
}
