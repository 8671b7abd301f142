import type { Kysely } from 'kysely';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Account } from './account';
import type { PreferenceChanges } from './account-fields';
import { parsePreferences } from './preferences';

/** Changes the profile; fields that are left out stay unchanged. Returns the changed account. */
export function updateProfile(
  db: Kysely<Schema>,
  { accountId, username, clock }: { accountId: string; username?: string; clock: Clock },
): Promise<Account> {
  return inTransaction(db, (trx) =>
    trx
      .updateTable('users')
      .set({ ...(username !== undefined && { username }), updated_at: toIso(clock.now()) })
      .where('id', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Merges preferences into the stored ones. Returns the changed account. */
export function updatePreferences(
  db: Kysely<Schema>,
  { accountId, preferences, clock }: { accountId: string; preferences: PreferenceChanges; clock: Clock },
): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const stored = await trx
      .selectFrom('users')
      .select('preferences')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const before = parsePreferences(stored.preferences);
    const after: PreferenceChanges = {
      alerts: {
        email: preferences.alerts?.email ?? before.alerts?.email,
        push: preferences.alerts?.push ?? before.alerts?.push,
        // Null is a value here: all watches.
        watches:
          preferences.alerts?.watches === undefined ? before.alerts?.watches : preferences.alerts.watches,
      },
      marketing: preferences.marketing ?? before.marketing,
    };
    return trx
      .updateTable('users')
      .set({ preferences: JSON.stringify(after), updated_at: toIso(clock.now()) })
      .where('id', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
