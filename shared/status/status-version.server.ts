import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { prepareQuery } from '../database/prepare-query';
import type { Schema } from '../database/schema';

const selectWatches = prepareQuery((db) =>
  db
    .selectFrom('watches')
    .select(['id', 'running', 'last_verdict'])
    .where('deleted_at', 'is', null)
    .orderBy('slug'),
);

const selectLiveAlerts = prepareQuery((db) =>
  db
    .selectFrom('alerts')
    .select(['id', 'revision'])
    .where('status', 'in', ['open', 'suspended'])
    .orderBy('id'),
);

/** Once it has ended, an alert that was short must not leave the version as it was before. */
const selectNewestAlert = prepareQuery((db) =>
  db.selectFrom('alerts').select(['id', 'revision']).orderBy('opened_at', 'desc').limit(1),
);

/**
 * A version that changes with what the public status shows at once: the state of a watch, and an alert that opens, changes
 * or ends. Times of checks and of deliveries do not change it: with 200 watches one of them changes several times a second.
 */
export async function readStatusVersion(db: Kysely<Schema>): Promise<string> {
  const hash = createHash('sha256');
  for (const { id, running, last_verdict } of await selectWatches(db, {}))
    hash.update(`${id} ${running} ${last_verdict}\n`);
  for (const select of [selectLiveAlerts, selectNewestAlert])
    for (const { id, revision } of await select(db, {})) hash.update(`${id} ${revision}\n`);
  return hash.digest('base64url').slice(0, 22);
}
