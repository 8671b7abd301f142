import { bumpContentVersion } from '#shared/content/content-version';
import { inTransaction } from '#shared/database/transaction';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { withDatabase } from './news-data';
import type { SharedStack } from './test';

/** Brings the site's settings back to their defaults, whatever tests before have left. */
export function resetSettings(stack: SharedStack): Promise<void> {
  return withDatabase(stack.dataDir, (db) =>
    inTransaction(db, async (trx) => {
      await trx.deleteFrom('settings').where('key', 'in', Object.values(SETTING_KEY)).execute();
      await bumpContentVersion(trx);
    }),
  );
}
