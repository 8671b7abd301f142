import type { Kysely } from 'kysely';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Platform } from './release';

/** What a member asks for: a version, or the latest one. */
interface DownloadAddress {
  accountId: string;
  platform: Platform;
  version: string | undefined;
}

/** The SHA-256 of the file of which a member last got the first byte at an address; null if there is none. */
export async function findDownloadStart(
  db: Kysely<Schema>,
  { accountId, platform, version }: DownloadAddress,
): Promise<string | null> {
  const row = await db
    .selectFrom('release_download_starts')
    .select('sha256')
    .where('user_id', '=', accountId)
    .where('platform', '=', platform)
    .where('version', '=', version ?? '')
    .executeTakeFirst();
  return row?.sha256 ?? null;
}

/** Records of which file a member gets the first byte at an address. Writes nothing when it is the recorded one. */
export async function recordDownloadStart(
  db: Kysely<Schema>,
  { sha256, clock, ...address }: DownloadAddress & { sha256: string; clock: Clock },
): Promise<void> {
  if ((await findDownloadStart(db, address)) === sha256) return;
  const { accountId, platform, version = '' } = address;
  await inTransaction(db, (trx) =>
    trx
      .insertInto('release_download_starts')
      .values({ user_id: accountId, platform, version, sha256, created_at: toIso(clock.now()) })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'platform', 'version']).doUpdateSet((eb) => ({
          sha256: eb.ref('excluded.sha256'),
          created_at: eb.ref('excluded.created_at'),
        })),
      )
      .execute(),
  );
}
