import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Audience } from '../alerts/webhooks/webhooks';
import { SECOND } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Schema } from '../database/schema';
import { hiddenAlertsOf, readMasks } from '../monitor/head-start-masks';

/** How old the public status may be while no state changes: then check times and delivery times are that old. */
export const STATUS_FRESH_MS = 5 * SECOND;

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
async function findNewestAlert(db: Kysely<Schema>, hidden: readonly string[]) {
  if (hidden.length === 0) return selectNewestAlert(db, {});
  return db
    .selectFrom('alerts')
    .select(['id', 'revision'])
    .where('id', 'not in', hidden)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .execute();
}

const selectNewestAlert = prepareQuery((db) =>
  db.selectFrom('alerts').select(['id', 'revision']).orderBy('opened_at', 'desc').limit(1),
);

/**
 * A version that changes with what the public status shows to `audience` at `now` (epoch ms) at once: the state of a watch,
 * and an alert that opens, changes or ends. Nothing that is hidden from the audience changes it; the end of its head start
 * does. Times of checks and of deliveries do not change it: with 200 watches one of them changes several times a second.
 */
export async function readStatusVersion(
  db: Kysely<Schema>,
  { now, audience }: { now: number; audience: Audience },
): Promise<string> {
  const masks = await readMasks(db, { now, audience });
  const hidden = hiddenAlertsOf(masks);
  const hash = createHash('sha256');
  for (const { id, running, last_verdict } of await selectWatches(db, {})) {
    const mask = masks.get(id);
    hash.update(`${id} ${running} ${mask === undefined ? last_verdict : mask.verdict}\n`);
  }
  for (const { id, revision } of [
    ...(await selectLiveAlerts(db, {})).filter((alert) => !hidden.includes(alert.id)),
    ...(await findNewestAlert(db, hidden)),
  ])
    hash.update(`${id} ${revision}\n`);
  return hash.digest('base64url').slice(0, 22);
}
