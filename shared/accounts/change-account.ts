import { DAY, fromIso, toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { requestWatchRolesOf } from '../roles/request-roles';
import type { Account } from './account';
import { parsePreferences, type PreferenceChanges } from './preferences';
import { usernameColumns } from './search-key';
import { endWaits } from './waiting-mails';

const LONGEST_PAUSE_MS = 90 * DAY;

/** Changes the profile; fields that are left out stay unchanged. Returns the changed account. */
export function updateProfile(
  db: Database,
  { accountId, username, clock }: { accountId: string; username?: string; clock: Clock },
): Promise<Account> {
  return inTransaction(db, (trx) =>
    trx
      .updateTable('users')
      .set({ ...(username !== undefined && usernameColumns(username)), updated_at: toIso(clock.now()) })
      .where('id', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Throws `Invalid` `unknown_watch` if one of the slugs is of no watch. */
async function requireWatches(trx: Transaction, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return;
  const found = await trx
    .selectFrom('watches')
    .select('slug')
    .where('slug', 'in', [...slugs])
    .where('deleted_at', 'is', null)
    .execute();
  const known = new Set(found.map(({ slug }) => slug));
  const missing = slugs.find((slug) => !known.has(slug));
  if (missing === undefined) return;
  const message = `The watch “${missing}” no longer exists. Please choose again.`;
  throw new DomainError('Invalid', { code: 'unknown_watch', message, fieldErrors: { watches: [message] } });
}

/** Throws `Invalid` `pause_too_long` for a pause that its member would forget. */
function requireShortPause(until: string | null, now: number): void {
  if (until === null || fromIso(until) <= now + LONGEST_PAUSE_MS) return;
  const message = 'Please choose a time within the next 90 days. To get no alerts at all, switch them off.';
  throw new DomainError('Invalid', {
    code: 'pause_too_long',
    message,
    fieldErrors: { pausedUntil: [message] },
  });
}

/**
 * Merges preferences into the stored ones; the changed account. Mails that wait for the end of quiet hours are due at
 * once. Throws `Invalid` `unknown_watch` for a missing watch, and `pause_too_long`.
 */
export function updatePreferences(
  db: Database,
  { accountId, preferences, clock }: { accountId: string; preferences: PreferenceChanges; clock: Clock },
): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const stored = await trx
      .selectFrom('users')
      .select('preferences')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const now = clock.now();
    await requireWatches(trx, preferences.alerts?.watches ?? []);
    requireShortPause(preferences.alerts?.pausedUntil ?? null, now);
    const before = parsePreferences(stored.preferences);
    const after: PreferenceChanges = {
      alerts: {
        email: preferences.alerts?.email ?? before.alerts?.email,
        push: preferences.alerts?.push ?? before.alerts?.push,
        // Null is a value here: all watches.
        watches:
          preferences.alerts?.watches === undefined ? before.alerts?.watches : preferences.alerts.watches,
        quietHours:
          preferences.alerts?.quietHours === undefined
            ? before.alerts?.quietHours
            : preferences.alerts.quietHours,
        pausedUntil:
          preferences.alerts?.pausedUntil === undefined
            ? before.alerts?.pausedUntil
            : preferences.alerts.pausedUntil,
      },
      timeZone: preferences.timeZone ?? before.timeZone,
      marketing: preferences.marketing ?? before.marketing,
    };
    if (preferences.alerts?.quietHours !== undefined || preferences.timeZone !== undefined)
      await endWaits(trx, { accountId, now });
    const changed = await trx
      .updateTable('users')
      .set({ preferences: JSON.stringify(after), updated_at: toIso(now) })
      .where('id', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (preferences.alerts?.watches !== undefined) await requestWatchRolesOf(trx, accountId, now);
    return changed;
  });
}
