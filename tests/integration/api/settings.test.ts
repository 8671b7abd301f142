import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock, toIso } from '#shared/clock';
import { readContentVersion } from '#shared/content/content-version';
import { DomainError } from '#shared/errors';
import { newId } from '#shared/ids';
import { DEFAULT_HERO_SLIDES } from '#shared/settings/setting-fields';
import { SETTING_KEY, readSiteSettings } from '#shared/settings/read-settings';
import { addRetailer, removeRetailer, writeSetting } from '#shared/settings/write-settings';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';

let fixture: ApiFixture;
let token: string;
beforeAll(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
afterAll(() => fixture.cleanup());
beforeEach(async () => {
  await fixture.db.deleteFrom('settings').execute();
  await fixture.db.deleteFrom('uploads').execute();
});

const by = { actor: { userId: null }, clock: systemClock };
const put = (name: string, body: unknown) => callApi('PUT', `/api/settings/${name}`, { token, body });
const read = async (name: string) => (await callApi('GET', `/api/settings/${name}`, { token })).body.data;

function store(key: string, value: string): Promise<unknown> {
  return fixture.db
    .insertInto('settings')
    .values({ key, value, description: null, updated_at: toIso(Date.now()) })
    .execute();
}

async function addUpload(status: 'pending' | 'attached' | 'deleted' = 'pending'): Promise<string> {
  const id = newId();
  const now = toIso(Date.now());
  await fixture.db
    .insertInto('uploads')
    .values({ id, kind: 'tracking', status, created_at: now, updated_at: now })
    .execute();
  return id;
}

const imageOf = (uploadId: string) => `/uploads/${uploadId}/960.webp`;

async function statusOf(uploadId: string): Promise<string | undefined> {
  const row = await fixture.db
    .selectFrom('uploads')
    .select('status')
    .where('id', '=', uploadId)
    .executeTakeFirst();
  return row?.status;
}

test('without stored settings the defaults apply', async () => {
  expect(await read('public/news-enabled')).toEqual({ enabled: true });
  expect(await read('public/retailers')).toEqual({ retailers: [] });
  expect(await read('public/tracking-sets')).toEqual({ enabled: false, trackingSets: [] });
  expect(await read('public/hero-slides')).toEqual({
    newsSlideEnabled: true,
    discordSlideEnabled: true,
    checkoutSlideEnabled: true,
    trackingSetsEnabled: false,
  });
});

test('an invalid stored value is replaced by its default', async () => {
  await store('news_section_enabled', 'maybe');
  await store('retailers', '["Argos"');
  await store('tracking_sets', '{"enabled":"yes"}');
  await store('hero_slides', 'null');
  await store('discord_invite_url', 'javascript:alert(1)');
  expect(await readSiteSettings(fixture.db)).toEqual({
    newsEnabled: true,
    retailers: [],
    trackingSets: { enabled: false, trackingSets: [] },
    heroSlides: DEFAULT_HERO_SLIDES,
    discordInviteUrl: null,
  });
});

describe('one setting', () => {
  test('news_enabled accepts only "true" and "false"', async () => {
    const answer = await put('news_section_enabled', { value: 'false', description: 'Show news' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: { key: 'news_section_enabled', value: 'false', description: 'Show news' },
      },
    });
    expect(await read('public/news-enabled')).toEqual({ enabled: false });
    for (const value of ['False', '1', '', ' true']) {
      expect(await put('news_section_enabled', { value })).toMatchObject({
        status: 422,
        body: { errors: { value: ['The value is "true" or "false".'] } },
      });
    }
    for (const value of [true, null, undefined])
      expect((await put('news_section_enabled', { value })).status).toBe(422);
    expect(await read('public/news-enabled')).toEqual({ enabled: false });
  });

  test('an omitted description is kept', async () => {
    await put('news_section_enabled', { value: 'false', description: 'Show news' });
    await writeSetting(fixture.db, { key: SETTING_KEY.newsEnabled, value: 'true', ...by });
    expect((await put('news_section_enabled', { value: 'true' })).body.data).toMatchObject({
      description: 'Show news',
    });
  });

  test('any other key stores its text', async () => {
    expect((await put('some_note_2', { value: ' as it is ' })).body.data).toEqual({
      key: 'some_note_2',
      value: ' as it is ',
      description: null,
    });
    expect((await put('a'.repeat(64), { value: '' })).status).toBe(200);
    expect((await put('some_note_2', { value: 'x'.repeat(10_001) })).status).toBe(422);
  });

  test.each(['Upper', 'with-dash', 'with.dot', 'a'.repeat(65), '%20', 'é', '__Proto__'])(
    '%s is not a valid key',
    async (key) => {
      expect(await put(key, { value: 'x' })).toMatchObject({
        status: 422,
        body: { code: 'invalid_setting_key', errors: { key: [expect.any(String)] } },
      });
    },
  );

  test.each(['tracking_sets', 'hero_slides', 'demo_data'])(
    '%s can only be set by its own call',
    async (key) => {
      expect(await put(key, { value: '{}' })).toMatchObject({
        status: 409,
        body: { code: 'setting_has_own_call' },
      });
      expect(await fixture.db.selectFrom('settings').selectAll().execute()).toEqual([]);
    },
  );

  test('the Discord invite must be an invite or empty', async () => {
    for (const value of ['https://discord.gg/packwatch', 'https://discord.com/invite/packwatch']) {
      expect((await put('discord_invite_url', { value })).status).toBe(200);
      expect((await readSiteSettings(fixture.db)).discordInviteUrl).toBe(value);
    }
    for (const value of [
      'javascript:alert(1)',
      'http://discord.gg/x',
      'https://discord.gg.evil.example/x',
      'https://discord.gg/',
    ])
      expect((await put('discord_invite_url', { value })).status).toBe(422);
    expect((await put('discord_invite_url', { value: '' })).status).toBe(200);
    expect((await readSiteSettings(fixture.db)).discordInviteUrl).toBe(null);
  });
});

describe('retailers', () => {
  test('are trimmed and stored in order', async () => {
    const answer = await put('retailers', { retailers: [' Smyths  Toys ', 'Argos'] });
    expect(answer).toMatchObject({ status: 200, body: { data: { retailers: ['Smyths Toys', 'Argos'] } } });
    expect(await read('public/retailers')).toEqual({ retailers: ['Smyths Toys', 'Argos'] });
    expect((await put('retailers', { retailers: [] })).body.data).toEqual({ retailers: [] });
  });

  test.each([
    ['an empty one', ['Argos', ' ']],
    ['a repeated one', ['Argos', 'ARGOS']],
    ['a repeated one in other case', ['Argos', 'Ａrgos']],
    ['one too long', ['x'.repeat(81)]],
    ['one too many', Array.from({ length: 101 }, (_, number) => `Shop ${number}`)],
    ['not a string', ['Argos', 7]],
    ['not an array', 'Argos'],
    ['nothing', undefined],
  ])('%s is refused', async (_name, retailers) => {
    expect(await put('retailers', { retailers })).toMatchObject({ status: 422, body: { code: 'invalid' } });
    expect(await read('public/retailers')).toEqual({ retailers: [] });
  });

  test('100 of 80 characters are accepted, 101 are not', async () => {
    const retailers = Array.from({ length: 100 }, (_, number) => `${'🃏'.repeat(77)}${100 + number}`);
    expect((await put('retailers', { retailers })).status).toBe(200);
    await expect(addRetailer(fixture.db, { retailer: 'One more', ...by })).rejects.toMatchObject({
      code: 'retailers_full',
    });
  });

  test('are added and removed individually, also by concurrent admins', async () => {
    const names = Array.from({ length: 8 }, (_, number) => `Shop ${number}`);
    await Promise.all(names.map((retailer) => addRetailer(fixture.db, { retailer, ...by })));
    expect((await readSiteSettings(fixture.db)).retailers.sort()).toEqual(names);
    const repeated = addRetailer(fixture.db, { retailer: ' shop 3 ', ...by });
    await expect(repeated).rejects.toThrow(DomainError);
    await expect(repeated).rejects.toThrow('This retailer is already listed.');
    await expect(addRetailer(fixture.db, { retailer: '  ', ...by })).rejects.toMatchObject({
      kind: 'Invalid',
    });
    expect(await removeRetailer(fixture.db, { retailer: 'Shop 3', ...by })).toBeGreaterThanOrEqual(0);
    expect((await readSiteSettings(fixture.db)).retailers).toHaveLength(7);
    expect(await removeRetailer(fixture.db, { retailer: 'Shop 3', ...by })).toBeNull();
    expect((await readSiteSettings(fixture.db)).retailers).toHaveLength(7);
  });
});

describe('hero slides', () => {
  test('are chosen and read', async () => {
    const config = { ...DEFAULT_HERO_SLIDES, newsSlideEnabled: false, trackingSetsEnabled: true };
    expect((await put('hero-slides', { config: { ...config, other: 1 } })).body.data).toEqual(config);
    expect(await read('hero-slides')).toEqual(config);
    expect(await read('public/hero-slides')).toEqual(config);
  });

  test.each([undefined, {}, { ...DEFAULT_HERO_SLIDES, newsSlideEnabled: 'true' }])(
    'refuse %j',
    async (config) => {
      expect((await put('hero-slides', { config })).status).toBe(422);
    },
  );
});

describe('tracking sets', () => {
  const set = (id: string, uploadId: string, more: object = {}) => ({
    id,
    name: `Set ${id}`,
    imageUrl: imageOf(uploadId),
    enabled: true,
    order: 1,
    ...more,
  });

  test('are renumbered in the requested order; visitors see the enabled ones', async () => {
    const upload = await addUpload();
    const trackingSets = [
      set('b', upload, { order: 7 }),
      set('c', upload, { order: 9.5, enabled: false }),
      set('a', upload, { order: -2, name: '  First  one ' }),
    ];
    const answer = await put('tracking-sets', { config: { enabled: true, trackingSets } });
    const stored = {
      enabled: true,
      trackingSets: [
        set('a', upload, { order: 1, name: 'First one' }),
        set('b', upload, { order: 2 }),
        set('c', upload, { order: 3, enabled: false }),
      ],
    };
    expect(answer).toMatchObject({ status: 200, body: { data: stored } });
    expect(await read('tracking-sets')).toEqual(stored);
    expect(await read('public/tracking-sets')).toEqual({
      enabled: true,
      trackingSets: stored.trackingSets.slice(0, 2),
    });
  });

  test('keep the images that they show and release the others', async () => {
    const [first, second] = [await addUpload(), await addUpload()];
    await put('tracking-sets', { config: { enabled: true, trackingSets: [set('a', first)] } });
    expect(await statusOf(first)).toBe('attached');
    await put('tracking-sets', { config: { enabled: true, trackingSets: [set('a', second)] } });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['deleted', 'attached']);
    const gone = await put('tracking-sets', { config: { enabled: true, trackingSets: [set('a', first)] } });
    expect(gone).toMatchObject({ status: 422, body: { code: 'image_gone' } });
    expect(await statusOf(second)).toBe('attached');
  });

  test.each([
    ['no name', { name: ' ' }],
    ['no image', { imageUrl: '' }],
    ['an external image', { imageUrl: 'https://evil.example/a.png' }],
    ['a script for an image', { imageUrl: 'javascript:alert(1)' }],
    ['an id with a space', { id: 'a b' }],
    ['a switch that is text', { enabled: 'true' }],
    ['no order', { order: null }],
  ])('%s is refused', async (_name, more) => {
    const trackingSets = [set('a', await addUpload(), more)];
    expect((await put('tracking-sets', { config: { enabled: true, trackingSets } })).status).toBe(422);
  });

  test('the same id twice is refused', async () => {
    const upload = await addUpload();
    const trackingSets = [set('a', upload), set('a', upload)];
    expect((await put('tracking-sets', { config: { enabled: true, trackingSets } })).status).toBe(422);
  });
});

test('every write bumps the content version and writes an audit row; reads and refusals do not', async () => {
  const start = await readContentVersion(fixture.db);
  await put('news_section_enabled', { value: 'true' });
  await put('retailers', { retailers: ['Argos'] });
  await put('hero-slides', { config: { ...DEFAULT_HERO_SLIDES, newsSlideEnabled: false } });
  await put('tracking-sets', { config: { enabled: false, trackingSets: [] } });
  expect(await readContentVersion(fixture.db)).toBe(start + 4);
  for (const name of ['public/retailers', 'hero-slides', 'tracking-sets']) await read(name);
  await put('retailers', { retailers: [''] });
  await put('hero_slides', { value: '{}' });
  expect(await readContentVersion(fixture.db)).toBe(start + 4);
  const subjects = await fixture.db
    .selectFrom('audit_log')
    .select('subject')
    .where('action', '=', 'settings.write')
    .where('actor_id', 'is not', null)
    .execute();
  expect(subjects.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['news_section_enabled', 'retailers', 'hero_slides', 'tracking_sets']),
  );
});
