import { join } from 'node:path';
import { openDatabase } from '#shared/database/connection.server';
import { SETTING_KEY } from '#shared/settings/read-settings';
import type { SharedStack } from './test';

/** Brings the site's settings back to their defaults, whatever tests before have left. */
export async function resetSettings(stack: SharedStack): Promise<void> {
  const db = openDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    await db.deleteFrom('settings').where('key', 'in', Object.values(SETTING_KEY)).execute();
  } finally {
    await db.destroy();
  }
}
