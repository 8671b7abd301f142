import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { requireRelease } from '#shared/releases/list-releases';
import { beginReleaseUpload, listReleaseUploads } from '#shared/releases/release-uploads';
import { createRelease } from '#shared/releases/save-release.server';
import type { FormResult } from '#shared/site/form-result';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import * as deletePage from '~/routes/admin/releases/delete';
import * as releasePage from '~/routes/admin/releases/release';
import * as listPage from '~/routes/admin/releases/releases';
import { loader as dashboard } from '~/routes/dashboard/dashboard';
import { programFor } from '../../fixtures/releases/programs';
import { createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';

let fixture: ApiFixture;
let admin: Account;
let token: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  admin = await fixture.account('admin', { username: 'robin' });
  token = await fixture.signIn(admin);
});
afterEach(() => fixture.cleanup());

function args(path: string, { id, body }: { id?: string; body?: FormData | URLSearchParams } = {}) {
  const request = new Request(SITE + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Cookie: `${SESSION_COOKIE}=${token}` },
    body: body ?? null,
  });
  return { request, params: { id }, context: {} };
}

const post = async (
  page: { action: typeof releasePage.action },
  id: string,
  fields: Record<string, string>,
) =>
  (await page.action(args(`/dashboard/releases/${id}`, { id, body: new URLSearchParams(fields) }))) as
    | FormResult
    | Response;

/** The status and the target of the redirect that a page throws. */
async function rejectionOf(page: Promise<unknown>): Promise<[number, string | null]> {
  const thrown = await page.catch((error: unknown) => error);
  if (!(thrown instanceof Response)) throw new Error('no redirect was thrown', { cause: thrown });
  return [thrown.status, thrown.headers.get('Location')];
}

/** A draft, created by the admin. */
async function draft(version: string, platform?: 'windows'): Promise<string> {
  const { db, clock } = serverContext();
  const fields = { version, releaseNotes: 'First', isBeta: false, published: false };
  const { id } = await createRelease(db, { fields, actor: { userId: admin.id }, clock });
  if (platform !== undefined) await uploadForm(id, platform);
  return id;
}

async function uploadForm(id: string, platform: 'windows', file = programFor(platform)) {
  const body = new FormData();
  body.append('intent', 'upload');
  body.append('platform', platform);
  body.append('file', new Blob([new Uint8Array(file)]), 'app.exe');
  return (await releasePage.action(args(`/dashboard/releases/${id}`, { id, body }))) as FormResult | Response;
}

test('a release without a file cannot be published', async () => {
  const id = await draft('1.0.0');
  expect(await post(releasePage, id, { intent: 'publish' })).toMatchObject({
    ok: false,
    message: 'To publish it, upload a file first: that of Windows, macOS or Linux.',
  });
  expect((await requireRelease(fixture.db, id)).published).toBe(false);
  expect(await uploadForm(id, 'windows')).toMatchObject({ status: 303 });
  expect(await post(releasePage, id, { intent: 'publish' })).toMatchObject({ status: 303 });
  expect((await requireRelease(fixture.db, id)).published).toBe(true);
});

test('the screen shows files, downloads, running uploads and who did what', async () => {
  const id = await draft('1.0.0', 'windows');
  const { db, clock } = serverContext();
  const member = await fixture.account('beta');
  await db
    .insertInto('release_downloads')
    .values({ release_id: id, user_id: member.id, platform: 'windows', created_at: toIso(clock.now()) })
    .execute();
  const upload = {
    kind: 'resumable',
    version: '1.0.0',
    platform: 'linux',
    originalName: 'app.AppImage',
    machine: null,
    fileSize: 9,
    changes: {},
  } as const;
  const { id: uploadId } = await beginReleaseUpload(db, { upload, actor: { userId: admin.id }, clock });
  const screen = await releasePage.loader(args(`/dashboard/releases/${id}`, { id }));
  expect(screen).toMatchObject({
    release: { version: '1.0.0', files: { windows: { fileSize: 4096 } } },
    downloads: { windows: 1 },
    uploads: [{ id: uploadId, platform: 'linux', originalName: 'app.AppImage', by: 'robin' }],
  });
  expect(screen.history?.map(({ actor, description }) => `${actor ?? ''} ${description}`).sort()).toEqual([
    'robin added the Windows file: app.exe',
    'robin created version 1.0.0',
  ]);

  // Neither the version nor the release may go while a file of it arrives.
  const changed = { version: '1.0.1', releaseNotes: 'Second' };
  expect(await post(releasePage, id, { intent: 'save', ...changed })).toMatchObject({
    ok: false,
    code: 'upload_in_progress',
    values: changed,
  });
  expect(await post(deletePage, id, { intent: 'delete' })).toMatchObject({ code: 'upload_in_progress' });
  expect(await post(releasePage, id, { intent: 'cancel-upload', platform: 'linux', uploadId })).toMatchObject(
    { status: 303 },
  );
  expect(await listReleaseUploads(db)).toEqual([]);
  expect(await post(releasePage, id, { intent: 'save', ...changed })).toMatchObject({ status: 303 });
  expect(await post(deletePage, id, { intent: 'delete' })).toMatchObject({ status: 303 });
});

test('the preview renders the notes and saves nothing', async () => {
  const id = await draft('1.0.0');
  const typed = { version: 'not one', releaseNotes: '**New** <img src=x onerror=alert(1)>' };
  const answer = await post(releasePage, id, { intent: 'preview', ...typed });
  expect(answer).toMatchObject({
    data: {
      ok: true,
      values: typed,
      details: { html: '<p><strong>New</strong> &lt;img src=x onerror=alert(1)&gt;</p>' },
    },
  });
  expect(await requireRelease(fixture.db, id)).toMatchObject({ version: '1.0.0', releaseNotes: 'First' });
});

test('a second release with a version is refused beside the field, and what was typed stays', async () => {
  await draft('1.0.0');
  const typed = { version: '1.0.0', releaseNotes: 'Again', isBeta: 'true' };
  const answer = await listPage.action(
    args('/dashboard/releases', { body: new URLSearchParams({ intent: 'create', ...typed }) }),
  );
  expect(answer).toMatchObject({ ok: false, errors: { version: [expect.any(String)] }, values: typed });
});

test('the list has pages, the newest version first', async () => {
  const now = toIso(Date.now());
  await fixture.db
    .insertInto('releases')
    .values(
      Array.from({ length: 21 }, (_, index) => ({
        id: newId(),
        version: `1.${index}.0`,
        release_notes: '',
        release_notes_html: '',
        is_beta: 0 as const,
        published: 0 as const,
        published_at: null,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute();
  const versions = async (query: string) => {
    const { list } = await listPage.loader(args(`/dashboard/releases${query}`));
    return [list?.page, list?.totalPages, ...(list?.releases ?? []).map(({ release }) => release.version)];
  };
  expect((await versions('')).slice(0, 4)).toEqual([1, 2, '1.20.0', '1.19.0']);
  expect(await versions('?page=2')).toEqual([2, 2, '1.0.0']);
  expect(await versions('?page=99')).toEqual([2, 2, '1.0.0']);
});

test('the overview says what members download, and lacks only that when it cannot be read', async () => {
  const readLine = async () => {
    const loaded = await dashboard(args('/dashboard'));
    return loaded.kind === 'admin' ? loaded.facts.releases : 'another page';
  };
  expect(await readLine()).toBe('No releases of the desktop app yet.');
  const id = await draft('1.0.0', 'windows');
  expect(await readLine()).toBe('No version to download yet. 1 release, 1 draft.');
  await post(releasePage, id, { intent: 'publish' });
  expect(await readLine()).toBe('Members download version 1.0.0. 1 release, 0 drafts.');
  await fixture.db.schema.alterTable('releases').renameTo('releases_away').execute();
  expect(await readLine()).toBeNull();
  expect((await listPage.loader(args('/dashboard/releases'))).list).toBeNull();
});

test('members and visitors are sent away, and an unknown release leads to the list', async () => {
  const id = await draft('1.0.0');
  for (const page of [releasePage, deletePage]) {
    const unknown = page.loader(args('/dashboard/releases/unknown', { id: 'unknown' }));
    expect(await rejectionOf(unknown)).toEqual([302, '/dashboard/releases']);
  }
  token = await fixture.tokenOf('beta');
  const calls = [
    listPage.loader(args('/dashboard/releases')),
    releasePage.loader(args(`/dashboard/releases/${id}`, { id })),
    deletePage.loader(args(`/dashboard/releases/${id}/delete`, { id })),
    post(releasePage, id, { intent: 'publish' }),
    post(deletePage, id, { intent: 'delete' }),
    uploadForm(id, 'windows'),
  ];
  for (const rejection of await Promise.all(calls.map(rejectionOf)))
    expect(rejection).toEqual([302, '/dashboard']);
  expect((await requireRelease(fixture.db, id)).files).toEqual({});
});
