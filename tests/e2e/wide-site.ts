import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSession } from '#shared/accounts/sessions';
import { endSessionUrl } from '#shared/mail/new-browser-mail';
import { unsubscribeUrl } from '#shared/accounts/unsubscribe';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, systemClock, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { newId } from '#shared/ids';
import { openKeyring } from '#shared/secrets.server';
import { setRetailers, setTrackingSets } from '#shared/settings/write-settings';
import { insertSeenPreview, insertSeenProduct } from '../integration/monitor/product-watch';
import { addAlert, addWatch } from '../integration/monitor/status-data';
import { setScene } from './monitor-scenes';
import { setArticles, storePicture } from './news-data';
import type { StoredIds } from './page-list';
import { createDatabase, startWeb } from './stack';

/** As long as each field takes, without a place to break. */
export const wide = (length: number) => 'W'.repeat(length);

/** The longest address that a mail server takes (RFC 5321, 4.5.3.1). */
export const longestAddress = (name: string) =>
  `${name}${'w'.repeat(64 - name.length)}@${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(53)}.example`;

const ARTICLE = '5b7a4f0e-3a55-4f1c-9d2b-7a7f3c1d9e01';
const RELEASE = '5b7a4f0e-3a55-4f1c-9d2b-7a7f3c1d9e02';
const SLUG = 'w'.repeat(50);

/** A separate web process, with an entry of each kind whose every text is as long as it may be. */
export interface WideSite {
  url: string;
  db: Database;
  ids: Required<StoredIds>;
  /** Of the sessions of `ids.account`, a member with beta access, and of an admin. */
  tokens: Readonly<Record<'member' | 'admin', string>>;
  stop: () => Promise<void>;
}

const KINDS = ['admin', 'member', 'requested'] as const;

/** Adds an account with a session. `requested`: its beta access is not approved yet. */
async function addAccount(
  db: Database,
  kind: (typeof KINDS)[number],
): Promise<{ id: string; token: string; sessionId: string }> {
  const now = toIso(Date.now());
  const id = newId();
  await db
    .insertInto('users')
    .values({
      id,
      email: longestAddress(kind),
      email_verified_at: now,
      username: wide(100),
      discord_id: String(KINDS.indexOf(kind) + 1),
      discord_username: wide(32),
      role: kind === 'admin' ? 'admin' : 'member',
      mail_bounced_at: now,
      mail_bounce_reason: wide(200),
      beta_ever_requested: 1,
      beta_requested_at: now,
      beta_approved_at: kind === 'requested' ? null : now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const session = { accountId: id, userAgent: wide(400), clock: systemClock };
  const { token, session: created } = await createSession(db, session);
  return { id, token, sessionId: created.id };
}

async function addArticles(db: Database, folder: string): Promise<void> {
  const file = await storePicture(folder);
  const story = {
    title: wide(200),
    excerpt: wide(500),
    author: wide(100),
    content: `<h2>${wide(200)}</h2><p>${wide(300)}</p><ul><li>${wide(300)}</li></ul><table><tr><td>${wide(300)}</td></tr></table><pre>${wide(300)}</pre><blockquote>${wide(300)}</blockquote><p><a href="https://x.example/">${wide(300)}</a></p>`,
  };
  await setArticles(db, [
    { ...story, id: ARTICLE, featured: true, media: [{ file, caption: wide(500), altText: wide(300) }] },
    story,
  ]);
}

/** Adds retailers and a tracking set; returns the id of the set. */
async function addSettings(db: Database, folder: string): Promise<string> {
  const byHand = { actor: { userId: null }, clock: systemClock };
  await setRetailers(db, { retailers: [wide(80)], ...byHand });
  const picture = await storePicture(folder);
  const now = toIso(Date.now());
  await db
    .insertInto('uploads')
    .values({ id: picture.uploadId, kind: 'tracking', status: 'pending', created_at: now, updated_at: now })
    .execute();
  const set = { id: 'set', name: wide(100), imageUrl: picture.filePath, order: 1, enabled: true };
  await setTrackingSets(db, { config: { enabled: true, trackingSets: [set] }, ...byHand });
  return set.id;
}

/** Adds a watch with an alert to the default one, which has an alert, too. */
async function addWatches(db: Database): Promise<void> {
  const now = Date.now();
  const names = { shop: wide(60), title: wide(80) };
  await setScene(db, 'live', now);
  await db.updateTable('watches').set(names).execute();
  await db
    .updateTable('monitor_checks')
    .set({ reason: wide(200) })
    .execute();
  await addWatch(db, SLUG, now, { ...names, url: `https://w.example/${wide(1900)}` });
  await addAlert(db, { watchId: SLUG, openedAt: now - MINUTE, lastedMs: null });
  await db
    .updateTable('alert_deliveries')
    .set({ last_error: wide(300) })
    .execute();
}

async function addRelease(db: Database): Promise<void> {
  const now = toIso(Date.now());
  await db
    .insertInto('releases')
    .values({
      id: RELEASE,
      version: `1.0.0-${'w'.repeat(58)}`,
      release_notes: wide(300),
      release_notes_html: `<h3>${wide(300)}</h3><p>${wide(300)}</p><p><code>${wide(300)}</code></p>`,
      is_beta: 0,
      published: 1,
      published_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Starts the site. */
export async function startWideSite(): Promise<WideSite> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-wide-'));
  const environment = { DATA_DIR: folder, NODE_ENV: 'production', SANDBOX: '1' };
  await createDatabase(folder);
  const db = openSqliteDatabase(join(folder, 'packwatch.db'));
  await addArticles(db, folder);
  const set = await addSettings(db, folder);
  await addWatches(db);
  await addRelease(db);
  const member = await addAccount(db, 'member');
  const admin = await addAccount(db, 'admin');
  await addAccount(db, 'requested');
  const { running, url } = await startWeb(environment, folder);
  const media = await db.selectFrom('media').select('id').executeTakeFirstOrThrow();
  const check = await db
    .selectFrom('monitor_checks')
    .select('id')
    .where('watch_id', '=', DEFAULT_WATCH_ID)
    .orderBy('check_timestamp', 'desc')
    .executeTakeFirstOrThrow();
  const preview = await insertSeenPreview(db, Date.now(), wide(190));
  const product = await insertSeenProduct(db, Date.now(), wide(60));
  const keyring = openKeyring({ sessionSecrets: [], dataDir: folder });
  const link = unsubscribeUrl({ keyring, appUrl: url }, { userId: member.id, now: Date.now() });
  const endSession = endSessionUrl(
    { keyring, appUrl: url },
    { accountId: member.id, sessionId: member.sessionId },
  );
  return {
    url,
    db,
    ids: {
      account: member.id,
      article: ARTICLE,
      media: media.id,
      check: check.id,
      preview,
      ...product,
      release: RELEASE,
      set,
      unsubscribe: new URL(link).searchParams.get('token') ?? '',
      endSession: new URL(endSession).searchParams.get('token') ?? '',
      watch: SLUG,
    },
    tokens: { member: member.token, admin: admin.token },
    async stop() {
      await running.stop();
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
