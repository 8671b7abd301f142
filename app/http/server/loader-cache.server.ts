import { LRUCache } from 'lru-cache';
import { MINUTE } from '#shared/clock';
import type { PageVersions } from './page-versions.server';
import { currentRequest, type RequestContext } from './request-context.server';

/** Maximum age, for changes that bump no version: a setting that could not be read, for example. */
export const FRESH_MS = MINUTE;

/** Characters of JSON. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Requests for addresses that do not exist fill the cache with many small entries. */
const MAX_ENTRIES = 500;

/** Caches the data that loaders prepare for pages until the content changes. */
export interface LoaderCache {
  /**
   * Returns the data under `name`, and calls `load` if it is not cached for the current content version. `name` contains
   * everything else that the data depends on. The data is shared, so callers must not change it. Failures are not
   * cached.
   */
  get<Data extends object>(name: string, load: () => Promise<Data>): Promise<Data>;
}

/** Keyed by content version, read per request, so that all processes agree. */
export function createLoaderCache(pageVersions: PageVersions): LoaderCache {
  const cache = new LRUCache<string, object, () => Promise<object>>({
    max: MAX_ENTRIES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (data) => JSON.stringify(data).length,
    ttl: FRESH_MS,
    // A load that is evicted before it ends still answers its callers.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: load }) => load(),
  });
  const versions = new WeakMap<RequestContext, Promise<number>>();
  function readVersion(): Promise<number> {
    const request = currentRequest();
    // Any other request may change the content between two reads.
    if (request?.method !== 'GET') return pageVersions.content();
    const version = versions.get(request) ?? pageVersions.content();
    versions.set(request, version);
    return version;
  }
  return {
    async get<Data extends object>(name: string, load: () => Promise<Data>): Promise<Data> {
      // The version is read before the data, so the data is never older than its key.
      const key = `${await readVersion()}|${name}`;
      // A name is always used with one type, so the cast is safe.
      return (await cache.fetch(key, { context: load })) as Data;
    },
  };
}
