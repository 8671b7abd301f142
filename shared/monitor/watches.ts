import type { Kysely, Selectable } from 'kysely';
import { DEFAULT_WATCH_ID } from '../brand';
import type { Schema } from '../database/schema';
import type { WatchesTable } from '../database/tables/watches';
import { DomainError } from '../errors';

export type Watch = Selectable<WatchesTable>;

/** Reads a watch with its stored state. Throws when there is none with this id. */
export function readWatch(db: Kysely<Schema>, watchId: string = DEFAULT_WATCH_ID): Promise<Watch> {
  return db.selectFrom('watches').selectAll().where('id', '=', watchId).executeTakeFirstOrThrow();
}

/** Every watch that is not deleted, by slug. */
export function listWatches(db: Kysely<Schema>): Promise<Watch[]> {
  return db.selectFrom('watches').selectAll().where('deleted_at', 'is', null).orderBy('slug').execute();
}

/** Finds a watch that is not deleted by its slug, or null. */
export async function findWatch(db: Kysely<Schema>, slug: string): Promise<Watch | null> {
  const row = await db
    .selectFrom('watches')
    .selectAll()
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Finds the id of the watch with a slug. Throws `NotFound`. */
export async function requireWatchId(db: Kysely<Schema>, slug: string): Promise<string> {
  const watches = await listWatches(db);
  const watch = watches.find((candidate) => candidate.slug === slug);
  if (watch !== undefined) return watch.id;
  throw new DomainError('NotFound', {
    code: 'unknown_watch',
    message: `There is no watch called ${slug}. Known are ${watches.map((known) => known.slug).join(', ')}.`,
  });
}

/** The page that a watch checks; `targetUrl` is MONITOR_TARGET_URL. */
export function urlOf({ url }: Pick<Watch, 'url'>, { targetUrl }: { targetUrl: string }): string {
  return url ?? targetUrl;
}

/** A version that changes whenever the monitor starts, stops or has checked the shop. */
export async function readMonitorVersion(db: Kysely<Schema>): Promise<string> {
  const { running, last_check_id } = await db
    .selectFrom('watches')
    .select(['running', 'last_check_id'])
    .where('id', '=', DEFAULT_WATCH_ID)
    .executeTakeFirstOrThrow();
  return `${running}:${last_check_id ?? ''}`;
}
