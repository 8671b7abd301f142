import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import type { FileStorage } from './storage';

/** SQLite limits the number of parameters of a query. */
const IDS_PER_QUERY = 200;

/**
 * Lists the stored upload folders without an upload record, for example after an older database was restored. Safe while
 * uploads arrive: a record is written before the first file of its folder, and folders are listed before records are read.
 */
export async function listOrphanUploads({
  db,
  storage,
}: {
  db: Kysely<Schema>;
  storage: FileStorage;
}): Promise<string[]> {
  const stored = await storage.list();
  const orphans: string[] = [];
  for (let start = 0; start < stored.length; start += IDS_PER_QUERY) {
    const ids = stored.slice(start, start + IDS_PER_QUERY);
    const rows = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute();
    const known = new Set(rows.map(({ id }) => id));
    orphans.push(...ids.filter((id) => !known.has(id)));
  }
  return orphans.sort();
}
