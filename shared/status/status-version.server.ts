import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { hiddenAlertTimes, selectHiddenAlerts, type HiddenAlertTimes } from '../alerts/hidden-alerts';
import type { Audience } from '../alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '../brand';
import { FREE_DELAY_MS } from '../alerts/alert-timing';
import { SECOND, toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Database } from '../database/schema';
import {
  hiddenAlertsOf,
  NO_MASKS,
  readMasks,
  selectSuspectedWatches,
  suspectedSince,
  type HeadStartMasks,
} from '../monitor/head-start-masks';

/** How old the public status may be while no state changes: then check times and delivery times are that old. */
export const STATUS_FRESH_MS = 5 * SECOND;

/** What the pages of the monitor depend on at one time. */
export interface StatusVersion {
  /** The time of the version (epoch ms). */
  now: number;
  /** The content version. */
  content: number;
  /**
   * Changes with what the public status shows to the audience at once: the state of a watch, and an alert that opens, changes
   * or ends. Nothing that is hidden from the audience changes it; the end of its head start does. Times of checks and of
   * deliveries do not change it: with 200 watches one of them changes several times a second.
   */
  status: string;
  /** Changes whenever the default watch starts, stops or has checked the shop. */
  monitor: string;
  /**
   * Changes with what the audience sees of products: the newest run of an offer, and each alert that opens, changes or ends.
   * Checks that see the same do not change it.
   */
  products: string;
  /** What is hidden from the audience. */
  masks: HeadStartMasks;
}

/** `number` and `text` depend on the part. All rows of one statement have the same columns. */
const selectParts = prepareQuery(
  (db, { since, runsUntil, ...times }: HiddenAlertTimes & { since: string; runsUntil: string }) =>
    db
      .selectFrom('content_state')
      .select([
        sql.lit('content').as('part'),
        sql.lit('').as('id'),
        'content_state.revision as number',
        sql.lit<string | null>('').as('text'),
        sql.lit<string | null>('').as('check_id'),
      ])
      .unionAll(
        db
          .selectFrom('watches')
          .select([sql.lit('watch').as('part'), 'id', 'running as number', 'last_verdict as text'])
          .select('last_check_id as check_id')
          .where('deleted_at', 'is', null)
          .where('kind', '=', 'waiting_room'),
      )
      .unionAll(
        db
          .selectFrom('alerts')
          .select([sql.lit('live').as('part'), 'id', 'revision as number'])
          .select(['kind as text', sql.lit('').as('check_id')])
          .where('status', 'in', ['open', 'suspended']),
      )
      .unionAll(
        db
          .selectFrom(
            db
              .selectFrom('alerts')
              .select(['id', 'revision'])
              .where('kind', '=', 'waiting_room')
              .orderBy('opened_at', 'desc')
              .limit(1)
              .as('last_opened'),
          )
          .select([sql.lit('newest').as('part'), 'id', 'revision as number'])
          .select([sql.lit('').as('text'), sql.lit('').as('check_id')]),
      )
      .unionAll(
        db
          .selectFrom(selectHiddenAlerts(db, times).as('hidden'))
          .select([sql.lit('hidden').as('part'), 'id', sql.lit(0).as('number')])
          .select([sql.lit('').as('text'), sql.lit('').as('check_id')]),
      )
      .unionAll(
        db
          .selectFrom(selectHiddenAlerts(db, times, 'product').as('hidden'))
          .select([sql.lit('hidden_product').as('part'), 'id', sql.lit(0).as('number')])
          .select([sql.lit('').as('text'), sql.lit('').as('check_id')]),
      )
      .unionAll(
        db
          .selectFrom(
            db
              .selectFrom('offer_runs')
              .select('id')
              .where('first_seen_at', '<=', runsUntil)
              .orderBy('first_seen_at', 'desc')
              .limit(1)
              .as('newest_run'),
          )
          .select([sql.lit('run').as('part'), 'id', sql.lit(0).as('number')])
          .select([sql.lit('').as('text'), sql.lit('').as('check_id')]),
      )
      .unionAll(
        db
          .selectFrom(selectSuspectedWatches(db, { since }).as('suspected'))
          .select([sql.lit('suspected').as('part'), 'id', sql.lit(0).as('number')])
          .select([sql.lit('').as('text'), sql.lit('').as('check_id')]),
      ),
);

/** Once it has ended, an alert that was short must not leave the version as it was before. */
function selectNewestShown(db: Database, hidden: readonly string[]) {
  return db
    .selectFrom('alerts')
    .select(['id', 'revision as number'])
    .where('id', 'not in', hidden)
    .where('kind', '=', 'waiting_room')
    .orderBy('opened_at', 'desc')
    .limit(1)
    .execute();
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

function productsVersion(
  parts: readonly { id: string; number: number }[],
  hidden: readonly string[],
): string {
  const hash = createHash('sha256');
  for (const { id, number } of parts) if (!hidden.includes(id)) hash.update(`${id} ${number}\n`);
  return hash.digest('base64url').slice(0, 22);
}

/**
 * Reads the version of content and status for `audience` at `now` (epoch ms): one statement, and some more while something
 * is hidden from the audience.
 */
export async function readStatusVersion(
  db: Database,
  { now, audience }: { now: number; audience: Audience },
): Promise<StatusVersion> {
  const rows = await selectParts(db, {
    ...hiddenAlertTimes(now),
    since: suspectedSince(now),
    runsUntil: toIso(audience === 'free' ? now - FREE_DELAY_MS : now),
  });
  const partsOf = (part: string) => rows.filter((row) => row.part === part).toSorted(byId);
  const [content] = partsOf('content');
  if (content === undefined) throw new Error('content_state has no row');

  const mayHide = rows.some(({ part }) => part === 'hidden' || part === 'suspected');
  const masks = mayHide ? await readMasks(db, { now, audience }) : NO_MASKS;
  const hidden = hiddenAlertsOf(masks);

  const hash = createHash('sha256');
  let monitor = '';
  for (const { id, number: running, text: lastVerdict, check_id: checkId } of partsOf('watch')) {
    const mask = masks.get(id);
    hash.update(`${id} ${running} ${mask === undefined ? lastVerdict : mask.verdict}\n`);
    if (id === DEFAULT_WATCH_ID) monitor = `${running}:${checkId ?? ''}`;
  }
  const live = partsOf('live');
  const shown = live.filter(({ id, text: kind }) => kind === 'waiting_room' && !hidden.includes(id));
  const newest = hidden.length === 0 ? partsOf('newest') : await selectNewestShown(db, hidden);
  for (const { id, number: revision } of [...shown, ...newest]) hash.update(`${id} ${revision}\n`);
  return {
    now,
    content: content.number,
    status: hash.digest('base64url').slice(0, 22),
    monitor,
    products: productsVersion(
      [...live.filter(({ text: kind }) => kind !== 'waiting_room'), ...partsOf('run')],
      audience === 'free' ? partsOf('hidden_product').map(({ id }) => id) : [],
    ),
    masks,
  };
}
