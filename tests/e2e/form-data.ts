import { createSession } from '#shared/accounts/sessions';
import { newId } from '#shared/ids';
import { MINUTE, systemClock, toIso } from '#shared/clock';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import type { Database } from '#shared/database/connection.server';
import { addBody, compressBody } from '#shared/monitor/checks/stored-body.server';
import { createRelease } from '#shared/releases/save-release.server';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { setRetailers, setTrackingSets } from '#shared/settings/write-settings';
import { insertSeenPreview, insertSeenProduct } from '../integration/monitor/product-watch';
import { addWatch } from '../integration/monitor/status-data';
import { setScene } from './monitor-scenes';
import { setArticles, storePicture } from './news-data';

const BY_HAND = { actor: { userId: null }, clock: systemClock };

/** Adds a member; `changes`: what else the row says. Returns the id. */
async function addMember(
  db: Database,
  name: string,
  changes: { beta_requested_at?: string; beta_approved_at?: string; disabled_at?: string },
): Promise<string> {
  const [id, now] = [newId(), toIso(Date.now())];
  await db
    .insertInto('users')
    .values({
      id,
      email: `${name}@packwatch.example`,
      email_verified_at: now,
      username: name,
      role: 'member',
      beta_ever_requested: 1,
      created_at: now,
      updated_at: now,
      ...changes,
    })
    .execute();
  return id;
}

/** An open alert whose messages have failed, to Discord and to a member. */
async function addFailedAlert(db: Database, member: string): Promise<void> {
  const now = Date.now();
  await setScene(db, 'live', now);
  await db
    .updateTable('alert_deliveries')
    .set({ status: 'dead', sent_at: null, last_error: 'Discord knows no such webhook' })
    .execute();
  const alert = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('member_deliveries')
    .values({
      id: newId(),
      alert_id: alert.id,
      user_id: member,
      channel: 'email',
      target: member,
      status: 'dead',
      due_at: toIso(now),
      expires_at: toIso(now + 10 * MINUTE),
      claimed_by: null,
      claimed_until: null,
      sent_at: null,
      last_status: 550,
      last_error: 'The mailbox does not exist',
      handled_at: null,
      created_at: toIso(now),
      updated_at: toIso(now),
    })
    .execute();
}

/** Stores a page with the newest check, so that it can be judged again. Returns the id of the check. */
async function addStoredPage(db: Database): Promise<string> {
  const { id, check_timestamp } = await db
    .selectFrom('monitor_checks')
    .select(['id', 'check_timestamp'])
    .orderBy('check_timestamp', 'desc')
    .executeTakeFirstOrThrow();
  const page = '<!doctype html><title>Shop</title>';
  await db
    .updateTable('monitor_checks')
    .set({ raw_response_length: page.length })
    .where('id', '=', id)
    .execute();
  const deflated = compressBody(page);
  if (deflated !== null) await addBody(db, { check_id: id, check_timestamp, deflated });
  return id;
}

/** A release with a file that members download, on which an upload has not ended, and a draft with a file. */
async function addReleases(db: Database): Promise<{ release: string; draft: string }> {
  const now = toIso(Date.now());
  const add = async (version: string, published: boolean) => {
    const fields = { version, releaseNotes: 'Faster', isBeta: false, published: false };
    const { id } = await createRelease(db, { fields, ...BY_HAND });
    const uploadId = newId();
    await db
      .insertInto('uploads')
      .values({ id: uploadId, kind: 'release', status: 'attached', created_at: now, updated_at: now })
      .execute();
    await db
      .insertInto('release_files')
      .values({
        id: newId(),
        release_id: id,
        platform: 'windows',
        upload_id: uploadId,
        original_name: `Setup-${version}.exe`,
        file_size: 1,
        sha256: '0'.repeat(64),
        sha512: '0'.repeat(128),
        created_at: now,
      })
      .execute();
    if (published)
      await db
        .updateTable('releases')
        .set({ published: 1, published_at: now })
        .where('id', '=', id)
        .execute();
    return id;
  };
  const [release, draft] = [await add('1.0.0', true), await add('1.1.0', false)];
  await db
    .insertInto('release_uploads')
    .values({
      id: newId(),
      kind: 'resumable',
      version: '1.0.0',
      platform: 'linux',
      user_id: null,
      original_name: 'App.AppImage',
      file_size: 1_000,
      fields: '{}',
      created_at: now,
      received_at: now,
    })
    .execute();
  return { release, draft };
}

/** Sets the roles on Discord. */
export async function setRoles(db: Database): Promise<void> {
  const value = JSON.stringify({ instant: '160000000000000002', free: '', joinAtSignIn: false });
  const change = { value, updated_at: toIso(Date.now()) };
  await db
    .insertInto('settings')
    .values({ key: SETTING_KEY.discordRoles, description: null, ...change })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(change))
    .execute();
}

/** The roles on Discord, with a fault and a difference that waits for an admin. */
async function addRoleDifference(db: Database): Promise<void> {
  const now = toIso(Date.now());
  await setRoles(db);
  await db
    .insertInto('discord_server')
    .values({ id: 'server', name: 'Packwatch', fault: null, compared_at: now, known_members: 1 })
    .execute();
  await db
    .insertInto('member_roles')
    .values({
      id: newId(),
      discord_id: '200000000000000001',
      audience: 'instant',
      status: 'expired',
      found: 'held',
      difference: 'remove',
      last_error: 'Discord answered 503',
      due_at: now,
      expires_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** A purchase of tokens that is paid. Returns its id, which is that of its receipt. */
async function addPurchase(db: Database, member: string): Promise<string> {
  const [id, now] = [newId(), toIso(Date.now())];
  const tokens = await db.selectFrom('token_packages').selectAll().executeTakeFirstOrThrow();
  await db
    .insertInto('token_purchases')
    .values({
      id,
      user_id: member,
      package_id: tokens.id,
      package_name: tokens.name,
      token_count: tokens.token_count,
      amount_pence: tokens.price_pence,
      status: 'completed',
      completed_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

/** Fills a database so that each page of the admins shows each of its forms. Returns the ids that addresses need. */
export async function fillAdminPages(db: Database, dataDir: string): Promise<Record<string, string>> {
  const now = toIso(Date.now());
  await addRoleDifference(db);
  await setRetailers(db, { retailers: ['Card Cave', 'Pokemon Center UK', 'Smyths'], ...BY_HAND });
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => storePicture(dataDir)));
  if (first === undefined || second === undefined || third === undefined) throw new Error('no pictures');
  await db
    .insertInto('uploads')
    .values(
      [first, second].map(({ uploadId }) => ({
        id: uploadId,
        kind: 'tracking' as const,
        status: 'pending' as const,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute();
  const trackingSets = [first, second].map(({ filePath }, at) => ({
    id: `set-${at}`,
    name: `Set ${at}`,
    imageUrl: filePath,
    order: at + 1,
    enabled: true,
  }));
  await setTrackingSets(db, { config: { enabled: true, trackingSets }, ...BY_HAND });
  const fourth = await storePicture(dataDir);
  const [article = ''] = await setArticles(db, [
    { title: 'Published', featured: true, media: [{ file: third }, { file: fourth }], featuredMedia: 1 },
    { title: 'Draft', published: false },
  ]);
  const media = await db
    .selectFrom('media')
    .select('id')
    .where('article_id', '=', article)
    .orderBy('display_order')
    .execute();
  await addMember(db, 'waiting', { beta_requested_at: now });
  const approved = await addMember(db, 'approved', { beta_requested_at: now, beta_approved_at: now });
  const disabled = await addMember(db, 'disabled', { disabled_at: now });
  const { session } = await createSession(db, { accountId: approved, userAgent: null, clock: systemClock });
  await addFailedAlert(db, approved);
  await addWatch(db, 'second', Date.now(), { running: 0 });
  await db
    .insertInto('webhooks')
    .values({
      watch_id: DEFAULT_WATCH_ID,
      audience: 'instant',
      sealed_url: 'sealed with another secret',
      last_fault: null,
      last_fault_at: null,
      updated_at: now,
    })
    .execute();
  return {
    article,
    media: media[0]?.id ?? '',
    media2: media[1]?.id ?? '',
    approved,
    memberSession: session.id,
    receipt: await addPurchase(db, approved),
    disabled,
    check: await addStoredPage(db),
    preview: await insertSeenPreview(db, Date.now()),
    ...(await insertSeenProduct(db, Date.now())),
    ...(await addReleases(db)),
  };
}
