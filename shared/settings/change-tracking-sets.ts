import type { Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { readTrackingSets } from './read-settings';
import {
  inOrder,
  trackingSetSchema,
  trackingSetsSchema,
  type TrackingSet,
  type TrackingSets,
} from './tracking-sets';
import { setTrackingSets } from './write-settings';

// Two admins may edit the list at the same time, so each function changes one thing in the stored list and returns
// the result.

interface ChangeInput {
  actor: Actor;
  clock: Clock;
}

/** One place towards the first set, or towards the last. */
export type MoveDirection = 'up' | 'down';

type NewTrackingSet = Pick<TrackingSet, 'name' | 'imageUrl'>;

/** Throws `Invalid` with a message for each invalid field, `otherFaults` included. */
export function requireTrackingSet(
  fields: Partial<NewTrackingSet>,
  otherFaults: Readonly<Record<string, string[]>> = {},
): void {
  const schema = trackingSetSchema.pick({ name: true, imageUrl: true }).partial();
  const fieldErrors: Record<string, string[]> = {};
  for (const { path, message } of schema.safeParse(fields).error?.issues ?? [])
    fieldErrors[String(path[0])] ??= [message];
  Object.assign(fieldErrors, otherFaults);
  const [first] = Object.values(fieldErrors).flat();
  if (first !== undefined)
    throw new DomainError('Invalid', { code: 'invalid_tracking_set', message: first, fieldErrors });
}

function changeConfig(
  db: Database,
  { actor, clock }: ChangeInput,
  change: (config: TrackingSets) => TrackingSets,
): Promise<TrackingSets> {
  return inTransaction(db, async (trx) => {
    const config = await readTrackingSets(trx);
    const changed = change(config);
    if (changed === config) return config;
    const checked = trackingSetsSchema.safeParse(changed);
    if (checked.success) return setTrackingSets(trx, { config: checked.data, actor, clock });
    throw new DomainError('Invalid', {
      code: 'invalid_tracking_sets',
      message: checked.error.issues[0]?.message ?? 'The tracking sets cannot be saved as they are.',
    });
  });
}

function requireSet(sets: readonly TrackingSet[], id: string): number {
  const index = sets.findIndex((set) => set.id === id);
  if (index !== -1) return index;
  throw new DomainError('NotFound', {
    code: 'unknown_tracking_set',
    message: 'This tracking set no longer exists. The list is up to date.',
  });
}

/** Switches all tracking slides on or off. */
export function enableTrackingSets(
  db: Database,
  { enabled, ...input }: ChangeInput & { enabled: boolean },
): Promise<TrackingSets> {
  return changeConfig(db, input, (config) => (config.enabled === enabled ? config : { ...config, enabled }));
}

/** Appends a set, enabled. Throws `Invalid` that names the field. */
export async function addTrackingSet(
  db: Database,
  { name, imageUrl, ...input }: ChangeInput & { name: string; imageUrl: string },
): Promise<TrackingSets> {
  requireTrackingSet({ name, imageUrl });
  return changeConfig(db, input, (config) => ({
    ...config,
    trackingSets: [
      ...config.trackingSets,
      { id: newId(), name, imageUrl, enabled: true, order: config.trackingSets.length + 1 },
    ],
  }));
}

/** Changes a set's name, or enables or disables it. Throws `NotFound`, or `Invalid` that names the field. */
export async function changeTrackingSet(
  db: Database,
  {
    id,
    changes,
    ...input
  }: ChangeInput & { id: string; changes: Partial<Pick<TrackingSet, 'name' | 'enabled'>> },
): Promise<TrackingSets> {
  requireTrackingSet(changes);
  return changeConfig(db, input, (config) => {
    const at = requireSet(config.trackingSets, id);
    return {
      ...config,
      trackingSets: config.trackingSets.map((set, index) => (index === at ? { ...set, ...changes } : set)),
    };
  });
}

/** Moves a set one place; at the end of the list it stays. Throws `NotFound`. */
export function moveTrackingSet(
  db: Database,
  { id, direction, ...input }: ChangeInput & { id: string; direction: MoveDirection },
): Promise<TrackingSets> {
  return changeConfig(db, input, (config) => {
    const sets = [...inOrder(config).trackingSets];
    const from = requireSet(sets, id);
    const to = direction === 'up' ? from - 1 : from + 1;
    const [moved, passed] = [sets[from], sets[to]];
    if (moved === undefined || passed === undefined) return config;
    sets[from] = { ...passed, order: from + 1 };
    sets[to] = { ...moved, order: to + 1 };
    return { ...config, trackingSets: sets };
  });
}

/** Removes a set. Throws `NotFound`. */
export function removeTrackingSet(
  db: Database,
  { id, ...input }: ChangeInput & { id: string },
): Promise<TrackingSets> {
  return changeConfig(db, input, (config) => {
    const at = requireSet(config.trackingSets, id);
    return { ...config, trackingSets: config.trackingSets.toSpliced(at, 1) };
  });
}
