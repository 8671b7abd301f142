import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '#shared/accounts/account';
import { createSession } from '#shared/accounts/sessions';
import { systemClock, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { inTransaction } from '#shared/database/transaction';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { createDatabase, startWeb, type Web } from './stack';

/** A web process on its own database, without Redis, and an admin's session. */
export interface AdminWeb {
  web: Web;
  db: Database;
  databaseFile: string;
  token: string;
  /** The Cookie header of the session. */
  cookie: string;
  stop(): Promise<void>;
}

/** Starts the built web process and signs an admin in. */
export async function startAdminWeb(name: string): Promise<AdminWeb> {
  const folder = mkdtempSync(join(tmpdir(), `packwatch-${name}-`));
  const databaseFile = join(folder, 'packwatch.db');
  const environment = {
    SANDBOX: '1',
    DATA_DIR: folder,
    REDIS_URL: 'redis://127.0.0.1:1',
    SESSION_SECRET: 'a-secret-of-some-length',
    // The page of the roles on Discord then has all its forms; nothing is sent.
    DISCORD_BOT_TOKEN: 'a-token-of-no-bot',
    DISCORD_GUILD_ID: '1400000000000000000',
    // Limits count by address, and tests send from many.
    TRUST_PROXY: '1',
  };
  await createDatabase(folder);
  const db = openSqliteDatabase(databaseFile);
  const web = await startWeb(environment, folder);
  const fields = { email: 'admin@packwatch.example', username: 'admin' };
  const { id: accountId } = await inTransaction(db, async (trx) => {
    const account = await createAccount(trx, fields, Date.now());
    await trx
      .updateTable('users')
      .set({ role: 'admin', email_verified_at: toIso(Date.now()) })
      .where('id', '=', account.id)
      .execute();
    return account;
  });
  const { token } = await createSession(db, { accountId, userAgent: null, clock: systemClock });
  return {
    web,
    db,
    databaseFile,
    token,
    cookie: `${PLAIN_SESSION_COOKIE}=${token}`,
    async stop() {
      await web.running.stop();
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
