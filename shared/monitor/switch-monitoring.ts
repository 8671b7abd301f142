import type { Kysely } from 'kysely';
import type { Actor } from '../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../brand';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { Queues } from '../queues/connection.server';
import { syncScheduler } from '../queues/check-schedulers';
import { startMonitoring, stopMonitoring, type SwitchResult } from './start-stop';
import { readWatch } from './watches/watches';

/**
 * Switches the checks of a watch on or off and syncs their scheduler in Redis at once. `synced` is false while Redis is
 * down: the switch holds, and the daemon syncs the scheduler once Redis is back. `queues`: null without Redis.
 */
export async function switchMonitoring(
  { db, queues, clock }: { db: Kysely<Schema>; queues: Queues | null; clock: Clock },
  { on, actor, watchId = DEFAULT_WATCH_ID }: { on: boolean; actor: Actor; watchId?: string },
): Promise<SwitchResult & { synced: boolean }> {
  const change = on ? startMonitoring : stopMonitoring;
  const result = await change(db, { actor, clock, watchId });
  if (queues === null || !queues.isReady()) return { ...result, synced: false };
  try {
    const watch = await readWatch(db, watchId);
    await syncScheduler(queues, { watch, checking: false, now: clock.now() });
    return { ...result, synced: true };
  } catch {
    // The switch is committed: a sync that fails is left to the daemon, which logs it.
    return { ...result, synced: false };
  }
}
