import { SECOND } from '../clock';
import type { FileStorage } from './storage';

/** Probes within this time share one result. */
const RESULT_LIFETIME_MS = 10 * SECOND;

/** Returns a function: why files cannot be stored now, as a sentence for an operator, or null; at most ten seconds old. */
export function createStorageProbe(
  storages: readonly Pick<FileStorage, 'findFault'>[],
): () => Promise<string | null> {
  let current: { result: Promise<string | null>; until: number } | null = null;

  async function probe(): Promise<string | null> {
    const faults = await Promise.all(storages.map((storage) => storage.findFault()));
    return faults.find((fault) => fault !== null) ?? null;
  }

  return () => {
    if (current === null || performance.now() >= current.until) {
      const started = { result: probe(), until: Number.POSITIVE_INFINITY };
      current = started;
      const limitLifetime = () => (started.until = performance.now() + RESULT_LIFETIME_MS);
      // The caller handles a failure.
      void started.result.then(limitLifetime, limitLifetime);
    }
    return current.result;
  };
}
