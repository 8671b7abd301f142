import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { releasesFolder } from '#shared/storage/disk-storage.server';
import { serverContext } from '~/http/server/context.server';
import { appImage, diskImage, windowsProgram } from '../../fixtures/releases/programs';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';
import {
  audit,
  clearReleases,
  NOTHING,
  parts,
  program,
  releaseOf,
  sha256,
  stored,
  storedReleaseFiles,
  upload,
  type Parts,
  type ReleaseBody,
} from '../releases/releases-fixture';

let fixture: ApiFixture;
let token: string;
beforeAll(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
beforeEach(() => clearReleases(fixture));
afterAll(() => fixture.cleanup());

test('an upload creates the release; another platform and a replacement change it', async () => {
  const created = await upload(token, [['release_notes', '# New'], ['is_beta', 'true'], ...parts()]);
  expect(created.status).toBe(201);
  const file = { fileName: 'packwatch-windows.exe', fileSize: program.byteLength, sha256: sha256(program) };
  const url = 'https://packwatch.example/api/downloads/windows?version=1.4.0';
  expect(releaseOf(created)).toMatchObject({
    version: '1.4.0',
    release_notes: '# New',
    is_beta: true,
    published: true,
    platforms: { windows: { ...file, url } },
  });
  const { files } = await stored(fixture);
  expect(files).toEqual([expect.stringMatching(/^[\da-f-]{36}\/packwatch-windows\.exe$/)]);
  expect(
    readFileSync(join(releasesFolder(serverContext().config.dataDir), files[0] ?? '')).equals(program),
  ).toBe(true);

  expect((await upload(token, parts({ platform: 'macos', file: diskImage(), name: 'a.dmg' }))).status).toBe(
    201,
  );
  const other = windowsProgram({ seed: 'other' });
  const replaced = releaseOf(await upload(token, parts({ file: other })));
  expect(replaced).toMatchObject({ id: releaseOf(created).id, is_beta: true, release_notes: '# New' });
  expect(replaced.platforms.windows?.sha256).toBe(sha256(other));
  expect(Object.keys(replaced.platforms)).toEqual(['windows', 'macos']);
  expect(await stored(fixture)).toMatchObject({ rows: [1, 2, 2], running: 0 });
  expect(storedReleaseFiles()).not.toContain(files[0]);
  expect(await audit(fixture)).toEqual([
    'release.create',
    'release.file_add',
    'release.file_add',
    'release.file_replace',
  ]);
  const digests = await fixture.db
    .selectFrom('release_files')
    .select(['sha512', 'original_name'])
    .where('platform', '=', 'windows')
    .executeTakeFirstOrThrow();
  expect(digests).toEqual({
    sha512: createHash('sha512').update(other).digest('base64'),
    original_name: 'Setup.EXE',
  });
});

test('the latest release is the newest published version with a file, in semantic order', async () => {
  const beta = await fixture.tokenOf('beta');
  const latest = async () => (await callApi('GET', '/api/downloads/latest', { token: beta })).body;
  expect(await latest()).toEqual({ success: true, version: null, platforms: {} });
  for (const version of ['1.9.0', '1.10.0-beta.2', '1.10.0-beta.11']) await upload(token, parts({ version }));
  const create = (version: string) =>
    callApi('POST', '/api/downloads/release', {
      token,
      body: { version, release_notes: '', is_beta: false },
    });
  expect((await create('1.10.0')).status).toBe(201);

  expect(await latest()).toMatchObject({ version: '1.10.0-beta.11', platforms: { windows: {} } });
  const { body } = await callApi('GET', '/api/downloads/versions', { token: beta });
  const versions = body.versions as ReleaseBody[];
  expect(versions.map(({ version }) => version)).toEqual([
    '1.10.0',
    '1.10.0-beta.11',
    '1.10.0-beta.2',
    '1.9.0',
  ]);
  expect(versions[1]).not.toHaveProperty('published');

  const withdraw = { token, body: { published: false } };
  await callApi('PUT', `/api/downloads/release/${versions[1]?.id}`, withdraw);
  expect(await latest()).toMatchObject({ version: '1.10.0-beta.2' });
  expect(await create('1.10.0')).toMatchObject({
    status: 409,
    body: { code: 'version_exists', errors: { version: [expect.any(String)] } },
  });
});

test('a release is changed, withdrawn, published and deleted, and the audit log names each step', async () => {
  const { id } = releaseOf(await upload(token, [...parts(), ['published', 'false']]));
  await upload(token, parts({ version: '2.0.0' }));
  await fixture.db.deleteFrom('audit_log').execute();
  const change = (body: object) => callApi('PUT', `/api/downloads/release/${id}`, { token, body });
  expect(releaseOf(await change({}))).toMatchObject({ published: false, published_at: null });
  expect(await audit(fixture)).toEqual([]);
  const published = releaseOf(await change({ published: true, version: '1.4.1', release_notes: 'a\r\nb' }));
  expect(published).toMatchObject({ version: '1.4.1', release_notes: 'a\nb', published: true });
  expect(published).toMatchObject({ published_at: expect.any(String) });
  await change({ published: false });
  expect(await change({ version: '2.0.0' })).toMatchObject({ status: 409, body: { code: 'version_exists' } });
  expect(await callApi('DELETE', `/api/downloads/release/${id}`, { token })).toMatchObject({ status: 200 });
  expect(await callApi('DELETE', `/api/downloads/release/${id}`, { token })).toMatchObject({ status: 404 });
  expect(await change({ is_beta: true })).toMatchObject({ status: 404, body: { code: 'release_not_found' } });
  expect(await stored(fixture)).toMatchObject({ rows: [1, 1, 1], files: [expect.any(String)] });
  const entries = await fixture.db.selectFrom('audit_log').selectAll().execute();
  expect(entries.map(({ action }) => action)).toEqual([
    'release.update',
    'release.publish',
    'release.withdraw',
    'release.delete',
  ]);
  for (const { subject, actor_id } of entries) expect([subject, actor_id]).toEqual([id, expect.any(String)]);
});

describe('bad input is refused with the field, and nothing is stored', () => {
  const html = Buffer.from('<!doctype html><title>Not found</title>');
  test.each<[name: string, parts: Parts, status: number, code: string, field: string | null]>([
    ['a version that is none', parts({ version: '1.4' }), 422, 'invalid', 'version'],
    ['a leading v', parts({ version: 'v1.4.0' }), 422, 'invalid', 'version'],
    ['build metadata', parts({ version: '1.4.0+5' }), 422, 'invalid', 'version'],
    ['a path as the version', parts({ version: '..%2f1.4.0' }), 422, 'invalid', 'version'],
    ['a long version', parts({ version: `1.4.0-${'a'.repeat(60)}` }), 422, 'invalid', 'version'],
    ['a path as the platform', parts({ platform: '../../etc/passwd' }), 422, 'invalid', 'platform'],
    ['a name of an object', parts({ platform: '__proto__' }), 422, 'invalid', 'platform'],
    ['another extension', parts({ name: 'setup.zip' }), 422, 'file_type', 'file'],
    ['another platform’s extension', parts({ name: 'setup.dmg' }), 422, 'file_type', 'file'],
    ['a page', parts({ file: html }), 422, 'file_type', 'file'],
    ['another platform’s program', parts({ file: appImage() }), 422, 'file_type', 'file'],
    ['an empty file', parts({ file: new Uint8Array() }), 422, 'file_empty', 'file'],
    ['two files', [...parts(), ['file', program, 'b.exe']], 422, 'file_count', 'file'],
    ['no file', parts().slice(0, 2), 422, 'file_missing', 'file'],
    ['no version', parts().slice(1), 422, 'invalid', 'version'],
    ['two versions', [['version', '1.4.1'], ...parts()], 422, 'invalid', 'version'],
    ['a flag that is none', [['is_beta', '1'], ...parts()], 422, 'invalid', 'is_beta'],
    ['a wrong field after the file', [...parts(), ['published', 'yes']], 422, 'invalid', 'published'],
    ['long notes', [['release_notes', 'x'.repeat(20_001)], ...parts()], 422, 'invalid', 'release_notes'],
    ['too much text', [['release_notes', 'x'.repeat(70_000)], ...parts()], 413, 'payload_too_large', null],
  ])('%s', async (_, sent, status, code, field) => {
    const answer = await upload(token, sent);
    expect(answer).toMatchObject({ status, body: { success: false, code, message: expect.any(String) } });
    expect(Object.keys((answer.body.errors ?? {}) as object)).toEqual(field === null ? [] : [field]);
    expect(await stored(fixture)).toEqual(NOTHING);
  });

  test.each<[name: string, body: object, field: string]>([
    ['no version', { release_notes: '', is_beta: true }, 'version'],
    ['a number', { version: 1, release_notes: '', is_beta: true }, 'version'],
    ['no notes', { version: '1.0.0', is_beta: true }, 'release_notes'],
    ['a control character', { version: '1.0.0', release_notes: 'a\u0000', is_beta: true }, 'release_notes'],
    ['a noncharacter', { version: '1.0.0', release_notes: 'a\uffff', is_beta: true }, 'release_notes'],
    ['a text as a flag', { version: '1.0.0', release_notes: '', is_beta: 'true' }, 'is_beta'],
    ['null', { version: '1.0.0', release_notes: '', is_beta: true, published: null }, 'published'],
  ])('in a release without files: %s', async (_, body, field) => {
    const answer = await callApi('POST', '/api/downloads/release', { token, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
    expect(await stored(fixture)).toEqual(NOTHING);
  });
});

test.each([
  '../../../etc/cron.d/a.exe',
  '..\\..\\a.exe',
  '/etc/a.exe',
  '\u202eexe.a.exe',
  `${'a'.repeat(400)}.exe`,
  '.exe',
])('a name with tricks only names the file for display: %s', async (name) => {
  const { status } = await upload(token, parts({ name }));
  // A name that is too long loses its extension.
  expect(status).toBe(name.length > 200 ? 422 : 201);
  for (const path of storedReleaseFiles()) expect(path).toMatch(/^[\da-f-]{36}\/packwatch-windows\.exe$/);
  for (const { original_name } of await fixture.db.selectFrom('release_files').selectAll().execute())
    expect(original_name).toMatch(/^[^/\\\p{Cc}\p{Cf}]{1,200}$/u);
});
