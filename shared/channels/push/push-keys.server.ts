import { toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import type { Keyring } from '../../secrets.server';

/** The key pair that identifies us to push services (VAPID, RFC 8292), base64url. */
export interface PushKeys {
  /** Uncompressed point of P-256, 65 bytes. */
  publicKey: string;
  /** 32 bytes. */
  privateKey: string;
}

/** Shown when no secret decrypts the stored private key. */
export const UNREADABLE_PUSH_KEYS =
  'the stored push keys cannot be read: SESSION_SECRET is not the one that sealed them. Add the old secret after the new one, separated by a comma';

/**
 * Reads the push keys; the first call of any process creates them. Returns null when no secret decrypts them. They are
 * never replaced: a push service refuses messages for a subscription that was created with other keys (RFC 8292, section
 * 4.2).
 */
export async function ensurePushKeys(db: Database, keyring: Keyring, clock: Clock): Promise<PushKeys | null> {
  const stored = (await findPushKeys(db)) ?? (await storeNewKeys(db, keyring, clock));
  const privateKey = keyring.open('push', stored.sealed_private_key);
  return privateKey === null ? null : { publicKey: stored.public_key, privateKey };
}

function findPushKeys(db: Database) {
  return db.selectFrom('push_keys').selectAll().where('id', '=', 'vapid').executeTakeFirst();
}

/** The public key that browsers subscribe with; null before the keys exist. */
export async function findPublicPushKey(db: Database): Promise<string | null> {
  return (await findPushKeys(db))?.public_key ?? null;
}

/** Stores a new key pair unless another process has already done so. Returns the stored row. */
async function storeNewKeys(db: Database, keyring: Keyring, clock: Clock) {
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return inTransaction(db, async (trx) => {
    await trx
      .insertInto('push_keys')
      .values({
        id: 'vapid',
        public_key: publicKey,
        sealed_private_key: keyring.seal('push', privateKey),
        created_at: toIso(clock.now()),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return trx.selectFrom('push_keys').selectAll().where('id', '=', 'vapid').executeTakeFirstOrThrow();
  });
}

/** Seals the private key with the newest secret at startup. Returns false if no secret decrypts it. */
export async function sealPushKeysAgain(db: Database, keyring: Keyring): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const stored = await findPushKeys(trx);
    if (stored === undefined) return true;
    const privateKey = keyring.open('push', stored.sealed_private_key);
    if (privateKey === null) return false;
    await trx
      .updateTable('push_keys')
      .set({ sealed_private_key: keyring.seal('push', privateKey) })
      .where('id', '=', 'vapid')
      .execute();
    return true;
  });
}
