import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { callApi, createApiFixture, type ApiFixture, type ApiResponse } from './api-fixture';

let sandbox: Sandbox;
let api: ApiFixture;
let token: string;
/** A server of our own network. No request may reach it. */
let inside: Server;
let insidePort = 0;
let reached = 0;
/** An allowed host, which answers as its path says. */
let outside: Server;
let outsideUrl = '';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  inside = createServer((_, response) => {
    reached += 1;
    response.end('internal');
  });
  insidePort = await listen(inside);
  outside = createServer(({ url = '/' }, response) => {
    const status = /^\/status\/(\d+)/.exec(url)?.[1];
    if (status !== undefined) response.writeHead(Number(status)).end();
    else if (url === '/inside')
      response.writeHead(302, { location: `http://127.0.0.1:${insidePort}/` }).end();
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (url === '/cut') response.destroy();
    else if (url === '/odd') response.socket?.end('HTTP/1.1 200 OK\r\nSet-Cookie: a=\x01\r\n\r\na shop');
    else response.end('a shop');
  });
  outsideUrl = `http://127.0.0.1:${await listen(outside)}`;
  sandbox = await startSandbox();
  api = await createApiFixture({
    MONITOR_TARGET_URL: sandbox.shopUrl,
    DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
    ALLOWED_PRIVATE_HOSTS: new URL(outsideUrl).host,
  });
  token = await api.tokenOf('admin');
});
afterAll(async () => {
  await api.cleanup();
  await sandbox.close();
  inside.close();
  outside.close();
});

const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  callApi(method, `/api/watches${path}`, { token, body });

const fieldsOf = (more: object = {}) => ({ shop: 'Card Shop', title: 'Card Shop', url: outsideUrl, ...more });

/** Adds a watch and returns its slug. */
async function added(more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '', fieldsOf(more));
  expect([status, body.message]).toEqual([201, undefined]);
  return (body.data as { watch: { slug: string } }).watch.slug;
}

test('a watch is added stopped with the defaults, listed, read, changed and deleted', async () => {
  const created = await call('POST', '', fieldsOf({ title: 'Pokémon: Läden & Co. ' }));
  const watch = {
    id: expect.any(String) as string,
    slug: 'pokemon-laden-co',
    shop: 'Card Shop',
    title: 'Pokémon: Läden & Co.',
    url: `${outsideUrl}/`,
    hours: '9-21',
    timeZone: 'Europe/London',
    intervalSeconds: 60,
    running: false,
    state: 'unknown',
    lastCheck: null,
    nextCheck: null,
    kind: 'waiting_room',
    memberRole: null,
    product: null,
  };
  expect(created).toMatchObject({ status: 201, body: { success: true, data: { watch } } });
  const { body } = await call('GET', '');
  const slugs = (body.data as { watches: { slug: string; url: string }[] }).watches;
  expect(slugs.map(({ slug }) => slug)).toEqual(['pokemon-center-uk', 'pokemon-laden-co']);
  expect(slugs[0]?.url).toBe(sandbox.shopUrl);

  const changes = { hours: '0-24', timeZone: 'Asia/Tokyo', intervalSeconds: 15, title: 'Cards' };
  const changed = await call('PUT', '/pokemon-laden-co', changes);
  expect(changed).toMatchObject({ status: 200, body: { data: { watch: { ...watch, ...changes } } } });
  expect((await call('GET', '/pokemon-laden-co')).body.data).toEqual({ watch: { ...watch, ...changes } });

  const memberRole = '310000000000000001';
  expect(await call('PUT', '/pokemon-laden-co', { memberRole })).toMatchObject({
    body: { data: { watch: { memberRole } } },
  });
  expect(await call('PUT', `/${DEFAULT_WATCH_ID}`, { memberRole })).toMatchObject({
    status: 422,
    body: {
      code: 'role_taken',
      errors: { memberRole: ['This is the role of Cards. Please choose another.'] },
    },
  });
  expect(await call('PUT', '/pokemon-laden-co', { memberRole: '' })).toMatchObject({
    body: { data: { watch: { memberRole: null } } },
  });

  expect(await call('DELETE', '/pokemon-laden-co')).toMatchObject({ status: 200, body: { success: true } });
  for (const [method, path] of [
    ['GET', '/pokemon-laden-co'],
    ['DELETE', '/pokemon-laden-co'],
    ['GET', '/pokemon-laden-co/status'],
    ['POST', '/pokemon-laden-co/monitoring/start'],
  ] as const)
    expect(await call(method, path)).toMatchObject({ status: 404, body: { code: 'unknown_watch' } });
  const audit = await api.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('action', 'like', 'watch.%')
    .orderBy('created_at')
    .execute();
  expect(audit.map(({ action, details }) => [action, JSON.parse(details ?? '') as unknown])).toEqual([
    [
      'watch.add',
      {
        ...fieldsOf({ title: watch.title, url: watch.url }),
        slug: watch.slug,
        hours: '9-21',
        timeZone: 'Europe/London',
        intervalSeconds: 60,
      },
    ],
    ['watch.change', { title: 'Cards', hours: '0-24', time_zone: 'Asia/Tokyo', interval_seconds: 15 }],
    ['watch.change', { memberRole: '310000000000000001' }],
    ['watch.change', { memberRole: '' }],
    ['watch.remove', { slug: watch.slug }],
  ]);
});

test('a slug is unique, not one of our paths, and free again after the watch is deleted', async () => {
  expect(await added({ title: 'Twice' })).toBe('twice');
  expect(await added({ title: 'Twice' })).toBe('twice-2');
  await call('DELETE', '/twice');
  expect(await added({ title: 'twice!' })).toBe('twice');
  expect(await added({ title: 'New' })).toBe('new-2');
  expect(await added({ title: 'ポケモンセンター', shop: 'Pokémon Center Tōkyō' })).toBe(
    'pokemon-center-tokyo',
  );
});

test('a wrong field is refused with its own sentence, when a watch is added and when it is changed', async () => {
  for (const [field, value] of [
    ['shop', ''],
    ['shop', 'x'.repeat(61)],
    ['title', '  '],
    ['title', 'a\u0007b'],
    ['title', 7],
    ['url', ''],
    ['url', 'no address'],
    ['url', 'ftp://shop.example/'],
    ['url', `https://shop.example/${'x'.repeat(2000)}`],
    ['url', `${outsideUrl}/${'ü'.repeat(400)}`],
    ['hours', '9-9'],
    ['hours', '9-25'],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', '+01:00'],
    ['intervalSeconds', 14],
    ['intervalSeconds', 3601],
    ['intervalSeconds', 30.5],
    ['intervalSeconds', '60'],
    ['memberRole', '@role'],
    ['memberRole', '1'.repeat(21)],
  ] as [string, unknown][]) {
    const answers = [
      ...(field === 'memberRole' ? [] : [await call('POST', '', fieldsOf({ [field]: value }))]),
      await call('PUT', `/${DEFAULT_WATCH_ID}`, { [field]: value }),
    ];
    for (const { status, body } of answers)
      expect([field, value, status, body.errors]).toEqual([
        field,
        value,
        422,
        { [field]: [expect.any(String)] },
      ]);
  }
});

describe('addresses of our own network', () => {
  test('are refused in forty spellings, and no request reaches them', async () => {
    const hosts =
      `127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 0177.1 ①②⑦.0.0.1 127。0。0。1
      127.0.0.1. 127.255.255.254 0.0.0.0 0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255
      100.64.0.1 100.127.255.255 169.254.169.254 169.254.0.1 192.0.0.8 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255
      [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:169.254.169.254] [::127.0.0.1] [64:ff9b::7f00:1]
      [2002:7f00:1::] [fe80::1] [fc00::1] [fd12::1] [ff02::1] localhost LOCALHOST. a.localhost printer nas.local
      metadata.google.internal redis.lan`.split(/\s+/);
    expect(hosts.length).toBeGreaterThanOrEqual(40);
    for (const host of hosts) {
      const url = `http://${host}:${insidePort}/`;
      const isNew = host.length % 2 === 0;
      const answer = await call(
        isNew ? 'POST' : 'PUT',
        isNew ? '' : `/${DEFAULT_WATCH_ID}`,
        fieldsOf({ url }),
      );
      expect([host, answer.status, answer.body.code]).toEqual([host, 422, 'address_not_public']);
    }
    expect(reached).toBe(0);
  });

  test('are refused when a page redirects there, and with a password in the address', async () => {
    const redirected = await call('POST', '', fieldsOf({ url: `${outsideUrl}/inside` }));
    expect(redirected).toMatchObject({
      status: 422,
      body: {
        code: 'address_not_public',
        errors: { url: [expect.stringContaining('The page redirects to 127.0.0.1')] },
      },
    });
    expect(await call('POST', '', fieldsOf({ url: outsideUrl.replace('//', '//me:secret@') }))).toMatchObject(
      {
        status: 422,
      },
    );
    expect(reached).toBe(0);
  });
});

test('a watch whose page cannot be read is saved stopped, with the reason; a refusal or a waiting room is a response', async () => {
  for (const path of ['/status/403', '/status/404', '/status/429', '/status/503', '/loop', '/odd'])
    expect((await call('POST', '', fieldsOf({ url: outsideUrl + path }))).body.data).not.toHaveProperty(
      'pageFault',
    );
  for (const [path, sentence] of [
    ['/status/502', 'answers with the error 502'],
    ['/cut', 'it cut the connection'],
  ]) {
    const answer = await call('POST', '', fieldsOf({ url: `${outsideUrl}${path}`, title: path }));
    expect(answer).toMatchObject({
      status: 201,
      body: { data: { watch: { running: false }, pageFault: expect.stringContaining(sentence ?? '') } },
    });
  }
  const unknown = await call('POST', '', fieldsOf({ url: 'https://shop.invalid/', title: 'Unknown' }));
  expect(unknown).toMatchObject({
    status: 201,
    body: { data: { pageFault: expect.stringContaining('shop.invalid could not be found') } },
  });
});

test('a running watch keeps its page when the new one cannot be read, until it is stopped', async () => {
  const slug = await added({ title: 'Moving' });
  const url = `${outsideUrl}/cut`;
  await call('POST', `/${slug}/monitoring/start`);
  expect(await call('PUT', `/${slug}`, { url })).toMatchObject({
    status: 422,
    body: { code: 'address_unreachable', errors: { url: [expect.stringContaining('stop the watch first')] } },
  });
  await call('POST', `/${slug}/monitoring/stop`);
  expect(await call('PUT', `/${slug}`, { url })).toMatchObject({
    status: 200,
    body: { data: { watch: { url }, pageFault: expect.stringContaining('it cut the connection') } },
  });
});

test('the first watch stays, and its page goes back to the configured one, which is not checked', async () => {
  expect(await call('DELETE', `/${DEFAULT_WATCH_ID}`)).toMatchObject({
    status: 409,
    body: { code: 'watch_is_permanent', message: 'Pokemon Center UK cannot be deleted. Stop it instead.' },
  });
  const urlOf = async () =>
    (
      await api.db
        .selectFrom('watches')
        .select('url')
        .where('id', '=', DEFAULT_WATCH_ID)
        .executeTakeFirstOrThrow()
    ).url;
  await call('PUT', `/${DEFAULT_WATCH_ID}`, { url: `${outsideUrl}/en-gb#top` });
  expect(await urlOf()).toBe(`${outsideUrl}/en-gb`);
  await call('PUT', `/${DEFAULT_WATCH_ID}`, { url: sandbox.shopUrl });
  expect(await urlOf()).toBeNull();
});

test('the calls of the monitor below a watch apply to it alone', async () => {
  const slug = await added({ title: 'Alone' });
  const first = (path: string) => callApi('GET', `/api/pokemon-center${path}`, { token });
  const before = (await first('/settings')).body;
  const setting = { setting_key: 'check_interval_seconds', setting_value: '25' };
  expect((await call('PUT', `/${slug}/settings`, setting)).body.data).toEqual(setting);
  await call('PUT', `/${slug}/webhook`, { webhook_url: sandbox.webhookUrl('free'), audience: 'free' });
  expect((await call('POST', `/${slug}/webhook/test`, { audience: 'free' })).status).toBe(200);
  expect((await call('POST', `/${slug}/webhook/test`, { audience: 'instant' })).status).toBe(404);
  expect((await call('POST', `/${slug}/monitoring/start`)).body.message).toBe('Monitoring started.');
  expect((await call('GET', `/${slug}/status`)).body.data).toMatchObject({
    scheduler: { running: true, intervalSeconds: 25 },
  });
  expect((await first('/status')).body.data).toMatchObject({ scheduler: { running: false } });
  expect((await first('/settings')).body).toEqual(before);
  expect((await call('GET', `/${DEFAULT_WATCH_ID}/settings`)).body).toEqual(before);
  expect((await call('GET', `/${slug}`)).body.data).toMatchObject({
    watch: { running: true, intervalSeconds: 25 },
  });
});

test('the watch of a product finds or adds its product and retailer, and shares the addresses of waiting rooms', async () => {
  const host = new URL(outsideUrl).host;
  const addProduct = (path: string, more: object = {}) =>
    call('POST', '', { kind: 'product', url: `${outsideUrl}/p/${path}`, ...more });
  expect(await added({ title: 'Ember chest' })).toBe('ember-chest');

  const first = await addProduct('1', {
    title: 'Ember Chest',
    brand: 'Ember',
    gtin: '5 012345-678900',
    shop: 'Tanglewood',
  });
  const product = {
    slug: 'ember-chest-2',
    title: 'Ember Chest',
    gtin: '5012345678900',
    retailer: 'Tanglewood',
  };
  expect(first).toMatchObject({
    status: 201,
    body: {
      data: {
        watch: {
          slug: 'ember-chest-tanglewood',
          title: 'Ember Chest @ Tanglewood',
          shop: 'Tanglewood',
          hours: '0-24',
          intervalSeconds: 120,
          running: false,
          kind: 'product',
          product: { ...product, variantKey: null, fetchAs: 'page', availability: null, price: null },
        },
      },
    },
  });
  // The GTIN in another length is of the same product; the retailer is that of the host, whatever name is given.
  for (const [path, more] of [
    ['2', { gtin: '05012345678900', shop: 'Another name' }],
    ['3', { productSlug: 'ember-chest-2', variantKey: 'red' }],
    ['3', { productSlug: 'ember-chest-2', title: 'Not used' }],
  ] as const)
    expect((await addProduct(path, more)).body.data).toMatchObject({
      watch: { product: { ...product, variantKey: 'variantKey' in more ? 'red' : null }, shop: 'Tanglewood' },
    });
  expect(await added({ title: 'Ember Chest' })).toBe('ember-chest-3');

  const other = await addProduct('4', { title: 'Frost Box' });
  expect(other.body.data).toMatchObject({ watch: { product: { slug: 'frost-box', gtin: null } } });
  for (const [more, status, code, field] of [
    [{}, 422, 'title_missing', 'title'],
    [{ title: 'A', gtin: '5012345678901' }, 422, 'invalid', 'gtin'],
    [{ title: 'A', intervalSeconds: 29 }, 422, 'interval_too_short', 'intervalSeconds'],
    [{ productSlug: 'constructor' }, 404, 'unknown_product', 'productSlug'],
    [{ productSlug: 'frost-box', gtin: '5012345678900' }, 409, 'other_gtin', 'gtin'],
    [{ productSlug: 'ember-chest-2', gtin: '96385074' }, 409, 'other_gtin', 'gtin'],
    [{ title: 'A', url: `${outsideUrl}/p/4#top` }, 409, 'already_watched', 'url'],
    [{ title: 'A', url: 'http://169.254.169.254/' }, 422, 'address_not_public', 'url'],
  ] as const)
    expect([more, await addProduct('9', more)]).toMatchObject([
      more,
      { status, body: { code, errors: { [field]: [expect.any(String)] } } },
    ]);
  expect((await addProduct('5', { productSlug: 'frost-box', gtin: '96385074' })).body.data).toMatchObject({
    watch: { product: { slug: 'frost-box', gtin: '96385074' } },
  });

  const slug = 'ember-chest-tanglewood';
  expect((await call('PUT', `/${slug}`, { intervalSeconds: 29 })).body.code).toBe('interval_too_short');
  expect(await call('PUT', `/${slug}`, { title: 'Chest' })).toMatchObject({
    body: { data: { watch: { title: 'Chest', kind: 'product', product } } },
  });
  expect(await call('POST', `/${slug}/monitoring/start`)).toMatchObject({ status: 200 });
  expect(await call('GET', `/${slug}/status`)).toMatchObject({
    body: { data: { scheduler: { running: true } } },
  });

  // The product outlives its watches.
  const { body } = await call('GET', '');
  for (const { slug: name, kind } of (body.data as { watches: { slug: string; kind: string }[] }).watches)
    if (kind === 'product') await call('DELETE', `/${name}`);
  expect(await api.db.selectFrom('products').select('slug').orderBy('slug').execute()).toEqual([
    { slug: 'ember-chest-2' },
    { slug: 'frost-box' },
  ]);
  expect(await api.db.selectFrom('retailers').select(['name', 'host']).execute()).toEqual([
    { name: 'Tanglewood', host },
  ]);
});

test('there are at most 200 watches of waiting rooms', async () => {
  const { watches } = await api.db
    .selectFrom('watches')
    .select((select) => select.fn.countAll<number>().as('watches'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 200 - Number(watches) }, (_, index) => ({
    id: `filling-${index}`,
    slug: `filling-${index}`,
    shop: 'Card Shop',
    title: 'Card Shop',
    url: outsideUrl,
    time_zone: 'UTC',
    hours: '9-21',
    interval_seconds: 60,
  }));
  await api.db.insertInto('watches').values(rows).execute();
  expect(await call('POST', '', fieldsOf())).toMatchObject({
    status: 409,
    body: { code: 'too_many_watches' },
  });
  expect(((await call('GET', '')).body.data as { watches: object[] }).watches).toHaveLength(200);
  expect((await call('GET', '/nowhere')).body.message).toMatch(
    /^There is no watch called nowhere\. Known are .* and 190 more\.$/,
  );
});
