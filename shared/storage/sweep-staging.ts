import { DAY, MINUTE, type Clock } from '../clock';
import type { Logger } from '../logger.server';
import { repeat, type Repeated } from '../repeat';
import type { FileStorage } from './storage';

/** Longer than any upload takes, and longer than an editor with an unsaved image is likely to stay open. */
export const UNUSED_RETENTION_MS = DAY;

const SWEEP_EVERY_MS = 10 * MINUTE;

/**
 * Removes received files that are a day old from the local disk, now and every ten minutes. Each process of the site does so:
 * the files of an interrupted upload are on the machine that received it, and that may have no daemon.
 */
export function startStagingSweep(
  storages: readonly Pick<FileStorage, 'discardStagedBefore'>[],
  { clock, logger }: { clock: Clock; logger: Logger },
): Repeated {
  async function sweep(): Promise<void> {
    const before = clock.now() - UNUSED_RETENTION_MS;
    let discarded = 0;
    for (const storage of storages) discarded += await storage.discardStagedBefore(before);
    if (discarded > 0) logger.info({ discarded }, 'removed received files that were not used');
  }
  return repeat(sweep, {
    everyMs: SWEEP_EVERY_MS,
    onFailure: (error) => logger.warn({ err: error }, 'could not remove received files that were not used'),
  });
}
