import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { systemClock } from '#shared/clock';
import { readContentVersion } from '#shared/content/content-version';
import { newId } from '#shared/ids';
import { changeHeroSlides } from '#shared/settings/write-settings';
import {
  addTrackingSet,
  changeTrackingSet,
  enableTrackingSets,
  moveTrackingSet,
  removeTrackingSet,
} from '#shared/settings/change-tracking-sets';
import { DEFAULT_HERO_SLIDES } from '#shared/settings/setting-fields';
import { listRetailers, readHeroSlides, readTrackingSets } from '#shared/settings/read-settings';
import { beginUpload } from '#shared/storage/upload-records';
import type { FormResult } from '#shared/site/form-result';
import { takeFlash } from '~/http/forms/flash.server';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import * as betaAccess from '~/routes/admin/beta-access';
import * as heroSlides from '~/routes/admin/hero-slides';
import * as heroTracking from '~/routes/admin/hero-tracking';
import * as siteSettings from '~/routes/admin/site-settings';
import { createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';
import { largeImage, createImage, storedFiles } from '../uploads/media-fixture';

let fixture: ApiFixture;
beforeEach(async () => {
  fixture = await createApiFixture();
});
afterEach(() => fixture.cleanup());

const write = { actor: { userId: null }, clock: systemClock };

async function anImage(): Promise<string> {
  const id = await beginUpload(fixture.db, { kind: 'tracking', clock: systemClock });
  return `/uploads/${id}/800.webp`;
}

async function addSets(...names: string[]): Promise<void> {
  for (const name of names) await addTrackingSet(fixture.db, { name, imageUrl: await anImage(), ...write });
}

async function listed(): Promise<string[]> {
  const { trackingSets } = await readTrackingSets(fixture.db);
  expect(trackingSets.map(({ order }) => order)).toEqual(trackingSets.map((_, index) => index + 1));
  return trackingSets.map(({ name }) => name);
}

async function idOf(name: string): Promise<string> {
  const { trackingSets } = await readTrackingSets(fixture.db);
  return trackingSets.find((set) => set.name === name)?.id ?? '';
}

describe('tracking sets', () => {
  it('are added last, enabled and numbered from 1', async () => {
    await addSets('Base', ' Jungle ');
    expect(await listed()).toEqual(['Base', 'Jungle']);
    const { trackingSets } = await readTrackingSets(fixture.db);
    expect(trackingSets.every(({ enabled }) => enabled)).toBe(true);
  });

  it('move by one place; at the ends nothing is written', async () => {
    await addSets('Base', 'Jungle', 'Fossil');
    await moveTrackingSet(fixture.db, { id: await idOf('Fossil'), direction: 'up', ...write });
    expect(await listed()).toEqual(['Base', 'Fossil', 'Jungle']);
    const revision = await readContentVersion(fixture.db);
    await moveTrackingSet(fixture.db, { id: await idOf('Base'), direction: 'up', ...write });
    await moveTrackingSet(fixture.db, { id: await idOf('Jungle'), direction: 'down', ...write });
    expect(await listed()).toEqual(['Base', 'Fossil', 'Jungle']);
    expect(await readContentVersion(fixture.db)).toBe(revision);
  });

  it('release their image when they are removed', async () => {
    await addSets('Base', 'Jungle');
    await removeTrackingSet(fixture.db, { id: await idOf('Base'), ...write });
    expect(await listed()).toEqual(['Jungle']);
    const uploads = await fixture.db.selectFrom('uploads').select('status').orderBy('created_at').execute();
    expect(uploads.map(({ status }) => status).sort()).toEqual(['attached', 'deleted']);
  });

  it('are changed individually, so that concurrent changes of two admins are both kept', async () => {
    await addSets('Base', 'Jungle', 'Fossil');
    const [base, jungle, fossil] = await Promise.all(['Base', 'Jungle', 'Fossil'].map(idOf));
    await Promise.all([
      enableTrackingSets(fixture.db, { enabled: true, ...write }),
      changeTrackingSet(fixture.db, { id: base ?? '', changes: { name: 'First' }, ...write }),
      changeTrackingSet(fixture.db, { id: jungle ?? '', changes: { enabled: false }, ...write }),
      removeTrackingSet(fixture.db, { id: fossil ?? '', ...write }),
      addSets('Rocket'),
    ]);
    const config = await readTrackingSets(fixture.db);
    expect(config.enabled).toBe(true);
    expect(config.trackingSets.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['First', true],
      ['Jungle', false],
      ['Rocket', true],
    ]);
  });

  it('refuse a change of a set that another admin removed', async () => {
    await addSets('Base');
    const id = await idOf('Base');
    await removeTrackingSet(fixture.db, { id, ...write });
    for (const change of [
      () => removeTrackingSet(fixture.db, { id, ...write }),
      () => moveTrackingSet(fixture.db, { id, direction: 'up', ...write }),
      () => changeTrackingSet(fixture.db, { id, changes: { enabled: false }, ...write }),
    ])
      await expect(change()).rejects.toMatchObject({ kind: 'NotFound', code: 'unknown_tracking_set' });
  });

  it('need a name and an image that was uploaded here and still exists', async () => {
    const add = (name: string, imageUrl: string) => addTrackingSet(fixture.db, { name, imageUrl, ...write });
    await expect(add(' ', '')).rejects.toMatchObject({
      fieldErrors: { name: ['Please enter a name.'], imageUrl: [expect.any(String)] },
    });
    await expect(add('Base', 'https://elsewhere.example/a.png')).rejects.toMatchObject({
      fieldErrors: { imageUrl: [expect.any(String)] },
    });
    await expect(add('Base', `/uploads/${newId()}/800.webp`)).rejects.toMatchObject({ kind: 'Invalid' });
    await addSets('Base');
    await expect(
      changeTrackingSet(fixture.db, { id: await idOf('Base'), changes: { name: '' }, ...write }),
    ).rejects.toMatchObject({ fieldErrors: { name: ['Please enter a name.'] } });
    expect(await listed()).toEqual(['Base']);
  });

  it('are limited to fifty', async () => {
    await addSets(...Array.from({ length: 50 }, (_, index) => `Set ${index}`));
    await expect(addSets('One more')).rejects.toMatchObject({ code: 'invalid_tracking_sets' });
    expect((await listed()).length).toBe(50);
  });
});

describe('hero slides', () => {
  it('are switched individually, so that concurrent changes of two admins are both kept', async () => {
    await Promise.all([
      changeHeroSlides(fixture.db, { changes: { newsSlideEnabled: false }, ...write }),
      changeHeroSlides(fixture.db, { changes: { trackingSetsEnabled: true }, ...write }),
    ]);
    expect(await readHeroSlides(fixture.db)).toEqual({
      ...DEFAULT_HERO_SLIDES,
      newsSlideEnabled: false,
      trackingSetsEnabled: true,
    });
    const revision = await readContentVersion(fixture.db);
    await changeHeroSlides(fixture.db, { changes: { newsSlideEnabled: false }, ...write });
    expect(await readContentVersion(fixture.db)).toBe(revision);
  });
});

interface AdminPage {
  loader(args: object): Promise<unknown>;
  action(args: object): Promise<unknown>;
}

const PAGES: Record<string, AdminPage> = {
  'site-settings': siteSettings,
  'hero-slides': heroSlides,
  'hero-tracking': heroTracking,
  'beta-access': betaAccess,
} as unknown as Record<string, AdminPage>;

describe('the admin pages', () => {
  let token: string;
  beforeEach(async () => {
    token = await fixture.tokenOf('admin');
  });

  function args(page: string, fields?: Record<string, string>) {
    const request = new Request(`${SITE}/dashboard/${page}`, {
      headers: { Cookie: `${SESSION_COOKIE}=${token}` },
      ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    return { request, params: {}, context: {} };
  }
  const post = async (page: string, fields: Record<string, string>) =>
    (await PAGES[page]?.action(args(page, fields))) as FormResult | Response;
  const statusOf = (work: Promise<unknown> | undefined) =>
    work?.then(
      () => null,
      (thrown: { status?: number; init?: { status?: number } }) => thrown.init?.status ?? thrown.status,
    );

  it.each([
    ['site-settings', 'news', 'Failed to update setting. Please try again.'],
    ['site-settings', 'add-retailer', 'Failed to add retailer. Please try again.'],
    ['site-settings', 'remove-retailer', 'Failed to remove retailer. Please try again.'],
    ['site-settings', 'discord-invite', 'Failed to update setting. Please try again.'],
    ['hero-slides', 'slides', 'Failed to update configuration'],
    ['hero-tracking', 'enable', 'Failed to save tracking sets. Please try again.'],
    ['hero-tracking', 'remove', 'Failed to save tracking sets. Please try again.'],
    ['hero-tracking', 'add', 'Failed to add tracking set. Please try again.'],
    ['beta-access', 'approve', 'Failed to approve user'],
    ['beta-access', 'revoke', 'Failed to revoke beta access'],
  ])('%s reports when %s fails: %s', async (page, intent, message) => {
    if (page === 'beta-access')
      await fixture.db.schema.alterTable('users').renameColumn('updated_at', 'gone').execute();
    else await fixture.db.schema.dropTable('settings').execute();
    const answer = await post(page, {
      intent,
      enabled: 'true',
      retailer: 'Toy Barn',
      value: '',
      name: 'Base',
      imageUrl: await anImage(),
      trackingSetsEnabled: 'on',
    });
    expect(answer).toMatchObject({ intent, ok: false, message });
    if (intent === 'add-retailer') expect(answer).toMatchObject({ values: { retailer: 'Toy Barn' } });
  });

  it.each(['hero-slides', 'hero-tracking'])('%s loads when its settings cannot be read', async (page) => {
    await fixture.db.schema.dropTable('settings').execute();
    expect(await PAGES[page]?.loader(args(page))).toMatchObject({ loaded: null });
  });

  it.each(Object.keys(PAGES))('%s rejects an unknown form', async (page) => {
    expect(await statusOf(post(page, { intent: 'toString' }))).toBe(400);
    expect(await statusOf(post(page, {}))).toBe(400);
  });

  it.each(Object.keys(PAGES))('%s needs an admin', async (page) => {
    token = await fixture.tokenOf('member');
    await expect(PAGES[page]?.loader(args(page))).rejects.toMatchObject({ status: 302 });
    await expect(post(page, { intent: 'news' })).rejects.toMatchObject({ status: 302 });
  });

  it('order retailers, and put a removed one back in its place', async () => {
    const listed = () => listRetailers(fixture.db);
    for (const retailer of ['Argos', 'Smyths', 'Toy Barn'])
      await post('site-settings', { intent: 'add-retailer', retailer });
    await post('site-settings', { intent: 'retailer-up', retailer: 'Toy Barn' });
    expect(await listed()).toEqual(['Argos', 'Toy Barn', 'Smyths']);
    await post('site-settings', { intent: 'retailer-up', retailer: 'Argos' });
    await post('site-settings', { intent: 'retailer-down', retailer: 'Smyths' });
    await post('site-settings', { intent: 'retailer-down', retailer: 'Not listed' });
    expect(await listed()).toEqual(['Argos', 'Toy Barn', 'Smyths']);

    const back = (await post('site-settings', {
      intent: 'remove-retailer',
      retailer: 'Toy Barn',
    })) as Response;
    const [flash = ''] = (back.headers.get('Set-Cookie') ?? '').split(';', 1);
    const shown = await takeFlash(
      new Request(`${SITE}/dashboard/site-settings`, { headers: { Cookie: flash } }),
    );
    expect(shown?.result.details).toEqual({ retailer: 'Toy Barn', at: 1 });
    const undo = { intent: 'restore-retailer', retailer: 'Toy Barn', at: '1' };
    await post('site-settings', undo);
    expect(await listed()).toEqual(['Argos', 'Toy Barn', 'Smyths']);
    expect(await post('site-settings', undo)).toMatchObject({ ok: false, code: 'retailer_repeated' });
    expect(await post('site-settings', { ...undo, at: '-1' })).toMatchObject({ ok: false });
  });

  it('redirect after a success, with a notice that the page shows once', async () => {
    const back = (await post('site-settings', { intent: 'news', enabled: 'false' })) as Response;
    expect([back.status, back.headers.get('Location')]).toEqual([303, '/dashboard/site-settings']);
    const [flash = ''] = (back.headers.get('Set-Cookie') ?? '').split(';', 1);
    const open = (path: string) => takeFlash(new Request(SITE + path, { headers: { Cookie: flash } }));
    expect(await open('/dashboard/hero-slides')).toBeNull();
    const shown = await open('/dashboard/site-settings');
    expect(shown?.result).toEqual({ intent: 'news', ok: true, message: 'The News section is off.' });
    expect(shown?.headers.get('Set-Cookie')).toMatch(/Max-Age=0/);
  });

  it('change only the slides that were switched, also on a stale page', async () => {
    await changeHeroSlides(fixture.db, { changes: { checkoutSlideEnabled: false }, ...write });
    // A page that was loaded earlier, on which only the tracking sets were switched on.
    await post('hero-slides', {
      intent: 'slides',
      newsSlideEnabled: 'on',
      'shown-newsSlideEnabled': 'on',
      discordSlideEnabled: 'on',
      'shown-discordSlideEnabled': 'on',
      checkoutSlideEnabled: 'on',
      'shown-checkoutSlideEnabled': 'on',
      trackingSetsEnabled: 'on',
    });
    expect(await readHeroSlides(fixture.db)).toEqual({
      newsSlideEnabled: true,
      discordSlideEnabled: true,
      checkoutSlideEnabled: false,
      trackingSetsEnabled: true,
    });
  });

  describe('a new tracking set with its image in one form, as without scripts', () => {
    const MEGABYTE = 1024 * 1024;
    let admin: Account;
    beforeEach(async () => {
      admin = await fixture.account('admin');
      token = await fixture.signIn(admin);
    });

    /** In a browser's order: the name, the image, the button. */
    async function send({ name = 'Base', image }: { name?: string; image?: Uint8Array }, announce = false) {
      const form = new FormData();
      form.append('name', name);
      form.append('image', new Blob([new Uint8Array(image ?? [])]), image === undefined ? '' : 'base.jpg');
      form.append('intent', 'add');
      const request = new Request(`${SITE}/dashboard/hero-tracking`, {
        method: 'POST',
        headers: { Cookie: `${SESSION_COOKIE}=${token}` },
        body: form,
      });
      if (announce && image !== undefined)
        request.headers.set('Content-Length', String(image.byteLength + 500));
      return (await heroTracking.action({ request, params: {}, context: {} })) as FormResult | Response;
    }

    it('is added', async () => {
      expect(await send({ image: await createImage() })).toMatchObject({ status: 303 });
      expect(await listed()).toEqual(['Base']);
      expect(storedFiles()).toHaveLength(1);
    });

    it('keeps its name when the upload limit is reached', async () => {
      const { limits } = serverContext();
      for (let use = 0; use < 60; use += 1) await limits.take([{ limit: 'upload', key: admin.id }]);
      expect(await send({ image: await createImage() })).toMatchObject({
        intent: 'add',
        ok: false,
        message: expect.stringContaining('Too many attempts'),
        values: { name: 'Base' },
      });
      expect(storedFiles()).toEqual([]);
      // The upload of this image through the API was counted: adding its set is not.
      const request = new Request(`${SITE}/dashboard/hero-tracking`, {
        method: 'POST',
        headers: { Cookie: `${SESSION_COOKIE}=${token}` },
        body: new URLSearchParams({ intent: 'add', name: 'Base', imageUrl: '/elsewhere.webp' }),
      });
      expect(await heroTracking.action({ request, params: {}, context: {} })).toMatchObject({
        ok: false,
        message: 'The image must be one that was uploaded here.',
      });
    });

    it.each([
      ['the Content-Length announces', true],
      ['only the read body shows', false],
    ])('keeps its name when the image is far too large, which %s', async (_, announce) => {
      const image = await largeImage(30 * MEGABYTE);
      const sentence = 'Image file must be smaller than 5MB.';
      expect(await send({ image }, announce)).toMatchObject({
        intent: 'add',
        ok: false,
        errors: { image: [sentence] },
        values: { name: 'Base' },
      });
      expect(storedFiles()).toEqual([]);
    });

    it('reports every invalid field at once', async () => {
      expect(await send({ name: ' ' })).toMatchObject({
        errors: { name: ['Please enter a name.'], image: ['Please select an image file.'] },
        values: { name: ' ' },
      });
      expect(await send({ name: '', image: Buffer.from('no image') })).toMatchObject({
        errors: { name: ['Please enter a name.'], image: ['Please select an image file.'] },
      });
    });

    it('leaves no image when it cannot be added', async () => {
      await addSets(...Array.from({ length: 50 }, (_, index) => `Set ${index}`));
      expect(await send({ image: await createImage() })).toMatchObject({
        message: 'There may be at most 50 tracking sets.',
        values: { name: 'Base' },
      });
      expect(storedFiles()).toEqual([]);
    });
  });
});
