import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { MINUTE } from '#shared/clock';
import { readContentRevision } from '#shared/content/content-revision';
import type { Schema } from '#shared/database/schema';

/** Maximum age, for changes that bump no version: a setting that could not be read during the render. */
export const FRESH_MS = MINUTE;
/** Characters of JSON. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** Whoever asks for addresses that are none fills it with next to nothing, over and over. */
const MOST_ENTRIES = 500;

/** What pages are made of, kept in the form in which they show it for as long as nothing of it has changed. */
export interface PreparedData {
  /**
   * What `prepare` makes out of the content, made now unless it was since the content's last change. `name` says what it
   * is, and all that it depends on but the content. It is shared: nobody changes it. What throws is not kept.
   */
  get<Data extends object>(name: string, prepare: () => Promise<Data>): Promise<Data>;
}

/** Prepared data of this process; the content's revision, asked for every time, keeps processes of one mind. */
export function createPreparedData(db: Kysely<Schema>): PreparedData {
  const kept = new LRUCache<string, object>({
    max: MOST_ENTRIES,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (data) => JSON.stringify(data).length,
    ttl: FRESH_MS,
  });
  return {
    async get<Data extends object>(name: string, prepare: () => Promise<Data>): Promise<Data> {
      // Read before the data: they are never older than their key says.
      const key = `${await readContentRevision(db)}|${name}`;
      const known = kept.get(key);
      // Under one name there is one kind of data.
      if (known !== undefined) return known as Data;
      const data = await prepare();
      kept.set(key, data);
      return data;
    },
  };
}
