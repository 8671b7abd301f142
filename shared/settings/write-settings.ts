import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import { bumpContentVersion } from '../content/content-version';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { lengthOf } from '../text';
import { listRetailers, SETTING_KEY, readHeroSlides } from './read-settings';
import {
  hasRetailer,
  MAX_RETAILERS,
  positionOf,
  RETAILER_REPEATED,
  retailerField,
  RETAILERS_FULL,
  retailersSchema,
} from './retailers';
import { discordInviteField, type HeroSlides } from './setting-fields';
import { inOrder, type TrackingSets } from './tracking-sets';
import { uploadIdOf } from '../storage/upload-path';
import { markUploadsDeleted } from '../storage/upload-records';

/**
 * Attaches the uploaded images that tracking sets refer to and marks those deleted that they no longer refer to, in the
 * transaction that saves the sets; the sweep then removes their files. Throws `Invalid` for an image that is gone.
 */
export async function attachTrackingImages(
  trx: Transaction,
  { imageUrls, now }: { imageUrls: readonly string[]; now: number },
): Promise<void> {
  const wanted = new Set(imageUrls.flatMap((url) => uploadIdOf(url) ?? []));
  const rows = await trx
    .selectFrom('uploads')
    .select(['id', 'status'])
    .where('kind', '=', 'tracking')
    .where('status', 'in', ['pending', 'attached'])
    .execute();
  const existing = new Set(rows.map(({ id }) => id));
  if ([...wanted].some((id) => !existing.has(id))) {
    const message = 'An image is no longer available. Please upload it again.';
    throw new DomainError('Invalid', {
      code: 'image_gone',
      message,
      fieldErrors: { trackingSets: [message] },
    });
  }
  const attached = rows
    .filter(({ id, status }) => wanted.has(id) && status === 'pending')
    .map(({ id }) => id);
  if (attached.length > 0)
    await trx
      .updateTable('uploads')
      .set({ status: 'attached', updated_at: toIso(now) })
      .where('id', 'in', attached)
      .execute();
  const dropped = rows
    .filter(({ id, status }) => status === 'attached' && !wanted.has(id))
    .map(({ id }) => id);
  await markUploadsDeleted(trx, dropped, now);
}

interface SettingWrite {
  actor: Actor;
  clock: Clock;
}

export interface Setting {
  key: string;
  value: string;
  description: string | null;
}

function invalid(code: string, field: string, sentence: string): DomainError {
  return new DomainError('Invalid', { code, message: sentence, fieldErrors: { [field]: [sentence] } });
}

/** Parses input by its schema. Throws `Invalid` with the schema's message. */
function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  field: string,
): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalid(`invalid_${field}`, field, result.error.issues[0]?.message ?? 'This cannot be used.');
}

/** Stores a value, writes the audit log and bumps the content version. Without a description the stored one stays. */
export async function storeSetting(
  trx: Transaction,
  { key, value, description }: { key: string; value: string; description?: string | undefined },
  { actor, clock }: SettingWrite,
): Promise<Setting> {
  const now = clock.now();
  const changed = { value, updated_at: toIso(now), ...(description !== undefined && { description }) };
  const row = await trx
    .insertInto('settings')
    .values({ key, description: null, ...changed })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
    .returning(['key', 'value', 'description'])
    .executeTakeFirstOrThrow();
  await writeAudit(trx, { actor, action: 'settings.write', subject: key, details: { value } }, now);
  await bumpContentVersion(trx);
  return row;
}

const KEY = /^[a-z0-9_]{1,64}$/;
const MAX_VALUE_LENGTH = 10_000;

/** Keys with their own call or command, because the general call could break their values. */
const OWN_CALL: Record<string, string> = {
  [SETTING_KEY.retailers]: 'Change retailers with PUT /api/settings/retailers.',
  [SETTING_KEY.trackingSets]: 'Change tracking sets with PUT /api/settings/tracking-sets.',
  [SETTING_KEY.discordRoles]: 'Change the roles on Discord at /dashboard/discord-roles.',
  [SETTING_KEY.heroSlides]: 'Change hero slides with PUT /api/settings/hero-slides.',
  demo_data: 'This key belongs to the demo data.',
};

function requireValue(key: string, value: string): string {
  if (key === SETTING_KEY.newsEnabled) {
    if (value !== 'true' && value !== 'false')
      throw invalid('invalid_setting', 'value', 'The value is "true" or "false".');
    return value;
  }
  if (key === SETTING_KEY.discordInvite) return parseInput(discordInviteField, value, 'value');
  if (lengthOf(value) > MAX_VALUE_LENGTH)
    throw invalid('invalid_setting', 'value', `Please use at most ${MAX_VALUE_LENGTH} characters.`);
  return value;
}

/**
 * Stores one setting and writes the audit log; a description that is left out stays. Known keys are validated, keys
 * with their own call are refused, others are stored as given. Throws `Invalid` for an invalid key or value,
 * `Conflict` for a key with its own call.
 */
export async function writeSetting(
  db: Database,
  {
    key,
    value,
    description,
    ...write
  }: SettingWrite & { key: string; value: string; description?: string | undefined },
): Promise<Setting> {
  if (!KEY.test(key)) {
    throw invalid(
      'invalid_setting_key',
      'key',
      'A key has up to 64 lowercase letters, digits and underscores.',
    );
  }
  const ownCall = Object.hasOwn(OWN_CALL, key) ? OWN_CALL[key] : undefined;
  if (ownCall !== undefined)
    throw new DomainError('Conflict', { code: 'setting_has_own_call', message: ownCall });
  const accepted = requireValue(key, value);
  return inTransaction(db, (trx) => storeSetting(trx, { key, value: accepted, description }, write));
}

async function storeRetailers(
  trx: Transaction,
  retailers: readonly string[],
  write: SettingWrite,
): Promise<void> {
  await storeSetting(trx, { key: SETTING_KEY.retailers, value: JSON.stringify(retailers) }, write);
}

/** Replaces the list of retailers, and writes the audit log. Returns the stored list. Throws `Invalid`. */
export async function setRetailers(
  db: Database,
  { retailers, ...write }: SettingWrite & { retailers: readonly string[] },
): Promise<string[]> {
  const accepted = parseInput(retailersSchema, retailers, 'retailers');
  await inTransaction(db, (trx) => storeRetailers(trx, accepted, write));
  return accepted;
}

/** Adds a retailer at `at` (by default the last), audited. Returns the list. Throws `Invalid` (repeated, full, invalid). */
export function addRetailer(
  db: Database,
  { retailer, at, ...write }: SettingWrite & { retailer: string; at?: number },
): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const name = parseInput(retailerField, retailer, 'retailer');
    const listed = await listRetailers(trx);
    if (hasRetailer(listed, name)) throw invalid('retailer_repeated', 'retailer', RETAILER_REPEATED);
    if (listed.length >= MAX_RETAILERS) throw invalid('retailers_full', 'retailer', RETAILERS_FULL);
    const retailers = listed.toSpliced(at ?? listed.length, 0, name);
    await storeRetailers(trx, retailers, write);
    return retailers;
  });
}

/** Removes a retailer, and writes the audit log. Returns its position (0 is the first); null if it was not listed. */
export function removeRetailer(
  db: Database,
  { retailer, ...write }: SettingWrite & { retailer: string },
): Promise<number | null> {
  return inTransaction(db, async (trx) => {
    const listed = await listRetailers(trx);
    const at = positionOf(listed, retailer.trim());
    if (at === -1) return null;
    await storeRetailers(trx, listed.toSpliced(at, 1), write);
    return at;
  });
}

/** Moves a retailer by one place, and writes the audit log. Does nothing at the ends, or if it is not listed. */
export function moveRetailer(
  db: Database,
  { retailer, direction, ...write }: SettingWrite & { retailer: string; direction: 'up' | 'down' },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const listed = await listRetailers(trx);
    const from = positionOf(listed, retailer.trim());
    const to = direction === 'up' ? from - 1 : from + 1;
    const [moved, passed] = [listed[from], listed[to]];
    if (moved === undefined || passed === undefined) return;
    await storeRetailers(trx, listed.with(from, passed).with(to, moved), write);
  });
}

/**
 * Replaces the tracking sets, and writes the audit log. `config`: parsed by `trackingSetsSchema`. Attaches the
 * uploads that the sets refer to and deletes those that they no longer refer to. Returns the stored sets, numbered
 * from 1. Throws `Invalid` when an image no longer exists.
 */
export function setTrackingSets(
  db: Database,
  { config, ...write }: SettingWrite & { config: TrackingSets },
): Promise<TrackingSets> {
  const stored = inOrder(config);
  return inTransaction(db, async (trx) => {
    const imageUrls = stored.trackingSets.map((set) => set.imageUrl);
    await attachTrackingImages(trx, { imageUrls, now: write.clock.now() });
    await storeSetting(trx, { key: SETTING_KEY.trackingSets, value: JSON.stringify(stored) }, write);
    return stored;
  });
}

/** Switches slides of the landing page on or off, and writes the audit log. Returns the settings of all slides. */
export function changeHeroSlides(
  db: Database,
  { changes, ...write }: SettingWrite & { changes: Partial<HeroSlides> },
): Promise<HeroSlides> {
  return inTransaction(db, async (trx) => {
    const config = await readHeroSlides(trx);
    const changed = { ...config, ...changes };
    if (isDeepStrictEqual(config, changed)) return config;
    await storeSetting(trx, { key: SETTING_KEY.heroSlides, value: JSON.stringify(changed) }, write);
    return changed;
  });
}
