import type { Selectable } from 'kysely';
import { DEFAULT_WATCH_ID } from '../../brand';
import { prepareQuery } from '../../database/prepare-query';
import type { Database } from '../../database/schema';
import type { WatchesTable } from '../../database/tables/monitor/watches';
import { DomainError } from '../../errors';
import { shorten } from '../../text';

export type Watch = Selectable<WatchesTable>;

/** Reads a watch with its stored state. Throws when there is none with this id. */
export async function readWatch(db: Database, watchId: string = DEFAULT_WATCH_ID): Promise<Watch> {
  const [watch] = await selectWatch(db, { watchId });
  if (watch === undefined) throw new Error(`there is no watch ${watchId}`);
  return watch;
}

const selectWatch = prepareQuery((db, { watchId }: { watchId: string }) =>
  db.selectFrom('watches').selectAll().where('id', '=', watchId),
);

/** Every watch that is not deleted, by slug. */
export function listWatches(db: Database): Promise<Watch[]> {
  return db.selectFrom('watches').selectAll().where('deleted_at', 'is', null).orderBy('slug').execute();
}

/** Every watch of a waiting room that is not deleted, by slug. */
export function listRoomWatches(db: Database): Promise<Watch[]> {
  return db
    .selectFrom('watches')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('kind', '=', 'waiting_room')
    .orderBy('slug')
    .execute();
}

/** Finds a watch of a waiting room that is not deleted by its slug, or null. */
export async function findRoomWatch(db: Database, slug: string): Promise<Watch | null> {
  const watch = await findWatch(db, slug);
  return watch?.kind === 'waiting_room' ? watch : null;
}

/** Finds a watch of any kind that is not deleted by its slug, or null. */
export async function findWatch(db: Database, slug: string): Promise<Watch | null> {
  const row = await db
    .selectFrom('watches')
    .selectAll()
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The most slugs in a message. */
const NAMED_WATCHES = 10;

/** Finds a watch of any kind that is not deleted by its slug. Throws `NotFound` (`unknown_watch`). */
export async function requireWatch(db: Database, slug: string): Promise<Watch> {
  const watch = await findWatch(db, slug);
  if (watch !== null) return watch;
  const known = (await listWatches(db)).map((candidate) => candidate.slug);
  const named = known.slice(0, NAMED_WATCHES).join(', ');
  const more = known.length > NAMED_WATCHES ? ` and ${known.length - NAMED_WATCHES} more` : '';
  throw new DomainError('NotFound', {
    code: 'unknown_watch',
    message: `There is no watch called ${shorten(slug, { fits: 60 })}. Known are ${named}${more}.`,
  });
}

/** The page that a watch checks; `targetUrl` is MONITOR_TARGET_URL. */
export function urlOf({ url }: Pick<Watch, 'url'>, { targetUrl }: { targetUrl: string }): string {
  return url ?? targetUrl;
}
