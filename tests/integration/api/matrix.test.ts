import { Validator } from '@seriousme/openapi-schema-validator';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock } from '#shared/clock';
import { createArticle } from '#shared/news/save-article.server';
import { API_METHODS } from '~/http/api/endpoint.server';
import type { Access } from '#shared/operation';
import { decideAccess } from '~/http/auth/access.server';
import { failureOf } from '~/http/server/failures.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { windowsProgram } from '../../fixtures/releases/programs';
import {
  apiGroups,
  callApi,
  createApiFixture,
  declaredCalls as declared,
  freshEmail,
  PERSONAS,
  send,
  SITE,
  type ApiFixture,
  type SentRequest,
} from './api-fixture';

let sandbox: Sandbox;
let fixture: ApiFixture;
/** A published article. */
let articleId: string;
let image: Blob;
beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture({
    ALLOWED_PRIVATE_HOSTS: sandbox.webhookHost,
    DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
    DISCORD_CLIENT_ID: sandbox.discordClientId,
    DISCORD_CLIENT_SECRET: sandbox.discordClientSecret,
    DISCORD_OAUTH_URL: sandbox.discordOauthUrl,
    DISCORD_API_URL: sandbox.discordApiUrl,
    DISCORD_CDN_URL: sandbox.discordCdnUrl,
  });
  const article = await createArticle(fixture.db, {
    fields: { title: 'A title', content: '<p>Some text.</p>', published: true },
    author: { id: null, username: null },
    clock: systemClock,
  });
  articleId = article.id;
  const create = { width: 4, height: 3, channels: 3, background: 'teal' } as const;
  const token = await fixture.tokenOf('admin');
  await callApi('POST', '/api/downloads/upload', { token, form: releaseForm(RELEASE) });
  image = new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())], { type: 'image/png' });
});
afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
});

const CALLERS = ['anonymous', 'bad token', ...PERSONAS] as const;
type Caller = (typeof CALLERS)[number];

/** In the order of CALLERS. */
type Statuses = readonly [number, number, number, number, number, number];

interface Row {
  statuses: Statuses;
  /** Where `path` has parameters. */
  at?: string | (() => string);
  body?: () => unknown;
  form?: () => FormData;
  headers?: () => Record<string, string>;
}

const everyone = (status: number): Statuses => [status, status, status, status, status, status];
const members = (status: number): Statuses => [401, 401, status, status, status, status];
const betas = (status: number): Statuses => [401, 401, 403, status, status, status];
const desktops = (status: number): Statuses => [401, 401, 403, 403, status, status];
const admins = (status: number): Statuses => [401, 401, 403, 403, 403, status];

function formWith(field: string): FormData {
  const form = new FormData();
  form.set(field, image, 'picture.png');
  return form;
}

/** A version with a file for Windows. */
const RELEASE = '2.0.0';
let versions = 0;

/** A version that no release has. */
function freshVersion(): string {
  versions += 1;
  return `1.${versions}.0`;
}

function releaseForm(version = freshVersion()): FormData {
  const form = new FormData();
  form.set('version', version);
  form.set('platform', 'windows');
  form.set('file', new Blob([new Uint8Array(windowsProgram())]), 'setup.exe');
  return form;
}

const HERO_SLIDES = {
  newsSlideEnabled: true,
  discordSlideEnabled: false,
  checkoutSlideEnabled: true,
  trackingSetsEnabled: true,
};

const PASSWORD = 'correct horse battery';

/** A subscription of a new browser at the sandbox's push service. */
function pushSubscription() {
  const { endpoint, keys } = sandbox.push.subscribe();
  return { endpoint, keys };
}

/** The calls of the monitor of one watch. */
const MONITOR_CALLS: Record<string, Row> = {
  'GET /api/pokemon-center/status': { statuses: admins(200) },
  'GET /api/pokemon-center/history': { statuses: admins(200) },
  // No daemon runs in this test.
  'POST /api/pokemon-center/check': { statuses: admins(503) },
  'GET /api/pokemon-center/settings': { statuses: admins(200) },
  'PUT /api/pokemon-center/settings': {
    statuses: admins(200),
    body: () => ({ setting_key: 'check_interval_seconds', setting_value: '30' }),
  },
  'POST /api/pokemon-center/webhook/test': {
    statuses: admins(404),
    body: () => ({ audience: 'free' }),
  },
  'PUT /api/pokemon-center/webhook': {
    statuses: admins(200),
    body: () => ({ webhook_url: sandbox.webhookUrl('instant') }),
  },
  'DELETE /api/pokemon-center/webhook': { statuses: admins(200) },
  'POST /api/pokemon-center/monitoring/start': { statuses: admins(200) },
  'POST /api/pokemon-center/monitoring/stop': { statuses: admins(200) },
  'GET /api/pokemon-center/debug/latest': { statuses: admins(200) },
};

const TUS = { 'Tus-Resumable': '1.0.0' };
const NO_UPLOAD = '/api/downloads/uploads/00000000-0000-4000-8000-000000000000';

/** The headers with which a resumable upload begins. */
function beginUpload(): Record<string, string> {
  const metadata = { filename: 'Packwatch.exe', version: freshVersion(), platform: 'windows' };
  const pairs = Object.entries(metadata).map(([key, value]) => `${key} ${btoa(value)}`);
  return { ...TUS, 'Upload-Length': '4096', 'Upload-Metadata': pairs.join(',') };
}

/** The contract: the status of each call with valid input, per caller. */
const CONTRACT: Record<string, Row> = {
  'GET /api/openapi.json': { statuses: everyone(200) },

  'POST /api/auth/register': {
    statuses: everyone(201),
    body: () => ({ email: freshEmail(), password: PASSWORD }),
  },
  'POST /api/auth/verify': {
    statuses: everyone(422),
    body: () => ({ email: freshEmail(), code: '000000' }),
  },
  'POST /api/auth/resend-verification': {
    statuses: everyone(200),
    body: () => ({ email: freshEmail() }),
  },
  'POST /api/auth/login': {
    statuses: everyone(401),
    body: () => ({ email: freshEmail(), password: PASSWORD }),
  },
  'GET /api/auth/discord/login': { statuses: everyone(302) },
  'GET /api/auth/discord/callback': { statuses: everyone(302) },
  'POST /api/auth/logout': { statuses: everyone(200) },
  'GET /api/auth/user': { statuses: members(200) },
  'PUT /api/auth/user': { statuses: members(200), body: () => ({ profile: { username: 'Ash' } }) },
  'PUT /api/auth/preferences': {
    statuses: members(200),
    body: () => ({ preferences: { alerts: { push: true } } }),
  },
  'GET /api/push/key': { statuses: members(200) },
  'GET /api/push/subscriptions': { statuses: members(200) },
  'POST /api/push/subscriptions': { statuses: members(201), body: pushSubscription },
  'DELETE /api/push/subscriptions/{id}': { statuses: members(404), at: '/api/push/subscriptions/none' },
  'GET /api/push/test': { statuses: members(200) },
  'POST /api/push/test': { statuses: members(200) },
  'POST /api/auth/beta/request': { statuses: [401, 401, 200, 409, 409, 200] },
  // None of them has a password.
  'PUT /api/auth/password': {
    statuses: members(422),
    body: () => ({ newPassword: 'several unusual words' }),
  },
  'POST /api/auth/password/code': { statuses: members(200) },
  'POST /api/auth/reset-password': { statuses: everyone(501) },
  'GET /api/auth/sessions': { statuses: members(200) },
  'DELETE /api/auth/sessions': { statuses: members(200) },
  'DELETE /api/auth/sessions/{id}': { statuses: members(404), at: '/api/auth/sessions/none' },

  'GET /api/news': { statuses: everyone(200) },
  'GET /api/news/{id}': { statuses: everyone(200), at: () => `/api/news/${articleId}` },
  'GET /api/news/admin/articles': { statuses: admins(200) },
  'POST /api/news/admin/articles': {
    statuses: admins(201),
    body: () => ({ title: 'A title', content: '<p>Some text.</p>' }),
  },
  'GET /api/news/admin/articles/{id}': { statuses: admins(200), at: () => adminArticle() },
  'PUT /api/news/admin/articles/{id}': {
    statuses: admins(200),
    at: () => adminArticle(),
    body: () => ({ title: 'Another title' }),
  },
  'DELETE /api/news/admin/articles/{id}': { statuses: admins(404), at: '/api/news/admin/articles/none' },
  // An unknown article, so that the one above stays published.
  'POST /api/news/admin/articles/{id}/toggle-published': {
    statuses: admins(404),
    at: '/api/news/admin/articles/none/toggle-published',
  },
  'POST /api/news/admin/articles/{id}/toggle-featured': {
    statuses: admins(200),
    at: () => `${adminArticle()}/toggle-featured`,
  },
  'PUT /api/news/admin/articles/{id}/featured-image': {
    statuses: admins(200),
    at: () => `${adminArticle()}/featured-image`,
    body: () => ({ mediaId: null }),
  },
  'POST /api/news/admin/articles/{id}/media': {
    statuses: admins(201),
    at: () => `${adminArticle()}/media`,
    form: () => formWith('file'),
  },
  'DELETE /api/news/admin/media/{id}': { statuses: admins(404), at: '/api/news/admin/media/none' },

  'GET /api/settings/public/news-enabled': { statuses: everyone(200) },
  'GET /api/settings/public/retailers': { statuses: everyone(200) },
  'GET /api/settings/public/tracking-sets': { statuses: everyone(200) },
  'GET /api/settings/public/hero-slides': { statuses: everyone(200) },
  'PUT /api/settings/{key}': {
    statuses: admins(200),
    at: '/api/settings/news_section_enabled',
    body: () => ({ value: 'true' }),
  },
  'PUT /api/settings/retailers': { statuses: admins(200), body: () => ({ retailers: ['Argos'] }) },
  'GET /api/settings/tracking-sets': { statuses: admins(200) },
  'PUT /api/settings/tracking-sets': {
    statuses: admins(200),
    body: () => ({ config: { enabled: true, trackingSets: [] } }),
  },
  'POST /api/settings/tracking-sets/upload': { statuses: admins(201), form: () => formWith('image') },
  'GET /api/settings/hero-slides': { statuses: admins(200) },
  'PUT /api/settings/hero-slides': { statuses: admins(200), body: () => ({ config: HERO_SLIDES }) },

  ...MONITOR_CALLS,
  ...Object.fromEntries(
    Object.entries(MONITOR_CALLS).map(([name, row]) => {
      const [method = '', path = ''] = name.split(' ');
      const below = path.replace('/api/pokemon-center/', '/api/watches/{slug}/');
      return [`${method} ${below}`, { ...row, at: below.replace('{slug}', DEFAULT_WATCH_ID) }];
    }),
  ),
  'GET /api/watches': { statuses: admins(200) },
  'POST /api/watches': {
    statuses: admins(201),
    body: () => ({ shop: 'Card Shop', title: 'Card Shop', url: sandbox.shopUrl }),
  },
  // No daemon runs.
  'POST /api/watches/preview': { statuses: admins(503), body: () => ({ url: sandbox.shopUrl }) },
  'GET /api/watches/preview/{id}': { statuses: admins(404), at: '/api/watches/preview/none' },
  'GET /api/watches/{slug}': { statuses: admins(200), at: `/api/watches/${DEFAULT_WATCH_ID}` },
  'PUT /api/watches/{slug}': {
    statuses: admins(200),
    at: `/api/watches/${DEFAULT_WATCH_ID}`,
    body: () => ({ intervalSeconds: 90 }),
  },
  'DELETE /api/watches/{slug}': { statuses: admins(409), at: `/api/watches/${DEFAULT_WATCH_ID}` },

  'PUT /api/products/{slug}': {
    statuses: admins(404),
    at: '/api/products/unknown',
    body: () => ({ title: 'Ember Hollow chest' }),
  },
  'PUT /api/products/{slug}/retired': {
    statuses: admins(404),
    at: '/api/products/unknown/retired',
    body: () => ({ retired: true }),
  },
  'DELETE /api/products/{slug}': { statuses: admins(404), at: '/api/products/unknown' },
  'GET /api/retailers': { statuses: admins(200) },
  'PUT /api/retailers/{host}': {
    statuses: admins(404),
    at: '/api/retailers/unknown.example',
    body: () => ({ name: 'Tanglewood Cards' }),
  },
  'GET /api/retailers/{host}/webhooks': {
    statuses: admins(404),
    at: '/api/retailers/unknown.example/webhooks',
  },
  'PUT /api/retailers/{host}/webhook': {
    statuses: admins(404),
    at: '/api/retailers/unknown.example/webhook',
    body: () => ({ webhook_url: 'https://discord.com/api/webhooks/1/token' }),
  },
  'DELETE /api/retailers/{host}/webhook': {
    statuses: admins(404),
    at: '/api/retailers/unknown.example/webhook',
  },
  'POST /api/retailers/{host}/webhook/test': {
    statuses: admins(404),
    at: '/api/retailers/unknown.example/webhook/test',
    body: () => ({}),
  },
  'GET /api/products': { statuses: everyone(200) },
  'GET /api/products/{slug}': { statuses: everyone(404), at: '/api/products/unknown' },
  'GET /api/products/{slug}/prices': { statuses: everyone(404), at: '/api/products/unknown/prices' },
  'GET /api/products/{slug}/alerts': { statuses: everyone(404), at: '/api/products/unknown/alerts' },
  'GET /api/products/following': { statuses: members(200) },
  'PUT /api/products/{slug}/follow': {
    statuses: members(404),
    at: '/api/products/unknown/follow',
    body: () => ({ wants: ['restock'] }),
  },
  'DELETE /api/products/{slug}/follow': { statuses: members(404), at: '/api/products/unknown/follow' },
  'GET /api/products/suggestions': { statuses: admins(200) },
  'POST /api/products/suggestions': {
    statuses: members(200),
    body: () => ({ url: 'https://tanglewood.example/products/chest' }),
  },
  'DELETE /api/products/suggestions/{id}': {
    statuses: admins(404),
    at: '/api/products/suggestions/unknown',
  },

  'GET /api/subscriptions': { statuses: members(200) },
  'GET /api/subscriptions/packages': { statuses: members(200) },
  // This site has no Stripe; subscriptions.test.ts has one.
  'POST /api/subscriptions/create-payment-intent': {
    statuses: betas(503),
    body: () => ({ packageId: 'pro-monthly' }),
  },
  'POST /api/subscriptions/cancel': { statuses: members(503), body: () => ({ reason: 'Too many boxes.' }) },
  'POST /api/subscriptions/reactivate': { statuses: members(503) },
  'POST /api/subscriptions/preview-change': {
    statuses: betas(503),
    body: () => ({ newPackageId: 'pro-yearly' }),
  },
  'POST /api/subscriptions/change-plan': {
    statuses: betas(503),
    body: () => ({ newPackageId: 'pro-yearly' }),
  },
  'POST /api/subscriptions/portal': { statuses: members(503) },

  'GET /api/payments/balance': { statuses: members(200) },
  'GET /api/payments/packages': { statuses: members(200) },
  // This site has no Stripe.
  'POST /api/payments/create-payment-intent': {
    statuses: betas(503),
    body: () => ({ packageId: 'tokens-50' }),
  },
  'GET /api/payments/transactions': { statuses: members(200) },
  'GET /api/tokens/usage': { statuses: members(200) },
  'GET /api/tokens/proxy-config': {
    statuses: desktops(200),
    at: '/api/tokens/proxy-config?taskId=a-task',
  },
  // None of them has tokens.
  'POST /api/tokens/consume': { statuses: desktops(402), body: () => ({ taskId: 'a-task' }) },

  'GET /api/downloads/latest': { statuses: betas(200) },
  'GET /api/downloads/versions': { statuses: betas(200) },
  'GET /api/downloads/latest.yml': { statuses: betas(200) },
  // The release has a file for Windows alone.
  'GET /api/downloads/latest-mac.yml': { statuses: betas(404) },
  'GET /api/downloads/latest-linux.yml': { statuses: betas(404) },
  'GET /api/downloads/beta.yml': { statuses: betas(200) },
  'GET /api/downloads/beta-mac.yml': { statuses: betas(404) },
  'GET /api/downloads/beta-linux.yml': { statuses: betas(404) },
  'GET /api/downloads/{platform}': {
    statuses: betas(200),
    at: `/api/downloads/windows?version=${RELEASE}`,
  },
  'GET /api/downloads/{platform}/{version}/{fileName}': {
    statuses: betas(200),
    at: `/api/downloads/windows/${RELEASE}/packwatch-windows.exe`,
  },
  'POST /api/downloads/release': {
    statuses: admins(201),
    body: () => ({ version: freshVersion(), release_notes: '', is_beta: true }),
  },
  'PUT /api/downloads/release/{id}': {
    statuses: admins(404),
    at: '/api/downloads/release/none',
    body: () => ({ published: false }),
  },
  'DELETE /api/downloads/release/{id}': { statuses: admins(404), at: '/api/downloads/release/none' },
  'POST /api/downloads/upload': { statuses: admins(201), form: () => releaseForm() },
  'POST /api/downloads/uploads': { statuses: admins(201), headers: beginUpload },
  'OPTIONS /api/downloads/uploads': { statuses: admins(204) },
  'HEAD /api/downloads/uploads/{id}': { statuses: admins(404), at: NO_UPLOAD, headers: () => TUS },
  'PATCH /api/downloads/uploads/{id}': {
    statuses: admins(404),
    at: NO_UPLOAD,
    headers: () => ({ ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }),
  },
  'DELETE /api/downloads/uploads/{id}': { statuses: admins(404), at: NO_UPLOAD, headers: () => TUS },

  'POST /api/webhooks/stripe': { statuses: everyone(503) },

  'GET /api/admin/beta/pending': { statuses: admins(200) },
  'GET /api/admin/beta/approved': { statuses: admins(200) },
  'GET /api/admin/beta/stats': { statuses: admins(200) },
  'POST /api/admin/beta/approve/{id}': { statuses: admins(404), at: '/api/admin/beta/approve/none' },
  'POST /api/admin/beta/revoke/{id}': { statuses: admins(404), at: '/api/admin/beta/revoke/none' },

  'POST /api/admin/accounts/find': {
    statuses: admins(404),
    body: () => ({ email: 'nobody@packwatch.example' }),
  },
  'GET /api/admin/accounts/{id}': { statuses: admins(404), at: '/api/admin/accounts/none' },
  'POST /api/admin/accounts/{id}/disable': { statuses: admins(404), at: '/api/admin/accounts/none/disable' },
  'POST /api/admin/accounts/{id}/enable': { statuses: admins(404), at: '/api/admin/accounts/none/enable' },
  'POST /api/admin/accounts/{id}/sign-out': {
    statuses: admins(404),
    at: '/api/admin/accounts/none/sign-out',
  },
};

function adminArticle(): string {
  return `/api/news/admin/articles/${articleId}`;
}

function rowOf(name: string): Row {
  const row = CONTRACT[name];
  if (row === undefined) throw new Error(`${name} is missing from the contract of this test`);
  return row;
}

function addressOf(name: string, path: string): string {
  const { at = path } = rowOf(name);
  return typeof at === 'string' ? at : at();
}

async function credentialsOf(caller: Caller): Promise<string | null> {
  if (caller === 'anonymous') return null;
  return caller === 'bad token' ? 'x'.repeat(43) : fixture.tokenOf(caller);
}

test('the table covers exactly the declared calls', () => {
  expect(Object.keys(CONTRACT).sort()).toEqual(declared.map(({ name }) => name).sort());
});

function inputOf(name: string): SentRequest {
  const { body, form, headers } = rowOf(name);
  return { body: body?.(), ...(form !== undefined && { form: form() }), headers: headers?.() };
}

test('the OpenAPI document is valid 3.1, lists all calls and states the access of each', async () => {
  const { body } = await callApi('GET', '/api/openapi.json');
  const document = body as {
    paths: Record<string, Record<string, { security: object[]; responses: object }>>;
  };
  const { valid, errors } = await new Validator().validate(structuredClone(body));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(body).toMatchObject({
    openapi: '3.1.0',
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-packwatch_session' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
  expect(Object.keys(document.paths).sort()).toEqual(
    apiGroups.flatMap(({ paths }) => Object.keys(paths)).sort(),
  );
  for (const { name, path, method, description } of declared) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    const needs = description.access === 'public' ? [] : [{ session: [] }, { bearer: [] }];
    expect([name, operation?.security]).toEqual([name, needs]);
    for (const status of rowOf(name).statuses) expect(operation?.responses).toHaveProperty(String(status));
  }
});

describe.each(declared)('$name', ({ name, method, path, description }) => {
  test.each(CALLERS.map((caller, index) => ({ caller, index })))(
    'answers $caller as the contract says, by bearer and by cookie',
    async ({ caller, index }) => {
      const expected = rowOf(name).statuses[index];
      const address = addressOf(name, path);
      const token = await credentialsOf(caller);
      const byBearer = await send(method, address, { ...inputOf(name), token });
      expect(byBearer.status).toBe(expected);

      const cookie = await credentialsOf(caller);
      const input = inputOf(name);
      const byCookie = await send(method, address, {
        ...input,
        cookie,
        headers: { ...input.headers, Origin: SITE },
      });
      expect(byCookie.status).toBe(expected);

      if (expected === 302 || (byBearer.ok && byBearer.body === null)) return;
      const type = byBearer.headers.get('Content-Type') ?? '';
      if (byBearer.ok && description.mediaTypes.length > 0) {
        expect(description.mediaTypes).toContain(type.split(';')[0]);
        await byBearer.body?.cancel();
        await byCookie.body?.cancel();
        return;
      }
      expect(type).toBe('application/json; charset=utf-8');
      const body = (await byBearer.json()) as Record<string, unknown>;
      if (expected === 401 && description.access !== 'public')
        expect(body).toEqual({ success: false, code: 'not_authenticated', message: 'Not authenticated' });
      if (path === '/api/openapi.json') return;
      expect(body.success).toBe(byBearer.ok);
      expect(byBearer.headers.get('Cache-Control')).toBe('no-store');
    },
  );

  test('rejects other methods', async () => {
    const token = await fixture.tokenOf('admin');
    for (const other of API_METHODS) {
      const declaring = other === 'HEAD' ? ['HEAD', 'GET'] : [other];
      if (
        other === 'OPTIONS' ||
        declared.some((call) => call.path === path && declaring.includes(call.method))
      )
        continue;
      const answer = await callApi(other, addressOf(name, path), { token, headers: { Origin: SITE } });
      expect(answer).toMatchObject({ status: 405, body: { success: false, code: 'method_not_allowed' } });
      expect(answer.headers.get('Allow')).toContain(method);
    }
  });
});

const guardedWrites = declared.filter(
  ({ method, description }) =>
    !['GET', 'HEAD', 'OPTIONS'].includes(method) && description.access !== 'public',
);

test.each(guardedWrites)(
  '$name is refused by cookie from another origin, and without an origin',
  async ({ name, method, path }) => {
    const cookie = await fixture.tokenOf('admin');
    const elsewhere: Record<string, string>[] = [
      {},
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.packwatch.example' },
    ];
    for (const headers of elsewhere) {
      const input = inputOf(name);
      const answer = await callApi(method, addressOf(name, path), {
        ...input,
        cookie,
        headers: { ...input.headers, ...headers },
      });
      expect(answer).toMatchObject({ status: 403, body: { success: false, code: 'cross_origin' } });
    }
    const token = await fixture.tokenOf('admin');
    const input = inputOf(name);
    const headers = { ...input.headers, Origin: 'app://desktop' };
    const byBearer = await send(method, addressOf(name, path), { ...input, token, headers });
    expect(byBearer.status).toBe(rowOf(name).statuses[5]);
  },
);

const withBody = declared.filter(
  ({ description }) => description.body !== undefined && description.files.length === 0,
);
/** More bytes than any call reads. */
const TOO_LARGE = 2 * 1024 * 1024;

test.each(withBody)('$name rejects malformed bodies', async ({ name, method, path }) => {
  const token = await fixture.tokenOf('admin');
  const address = addressOf(name, path);
  const json = { 'Content-Type': 'application/json' };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(await callApi(method, address, { token, body: {}, headers: form })).toMatchObject({
    status: 415,
    body: { code: 'unsupported_media_type' },
  });
  const large = { filling: 'x'.repeat(TOO_LARGE) };
  expect(await callApi(method, address, { token, body: large })).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  });
  for (const wrong of [[], null, 7, 'text']) {
    const refused = await callApi(method, address, { token, body: wrong, headers: json });
    expect(refused).toMatchObject({ status: 422, body: { success: false, errors: expect.any(Object) } });
  }
});

describe('access', () => {
  const OPENS: Record<Access, readonly boolean[]> = {
    public: [true, true, true, true, true, true],
    member: [false, false, true, true, true, true],
    beta: [false, false, false, true, true, true],
    desktop: [false, false, false, false, true, true],
    admin: [false, false, false, false, false, true],
  };

  test.each(Object.entries(OPENS) as [Access, readonly boolean[]][])('%s', async (access, opens) => {
    for (const [index, caller] of CALLERS.entries()) {
      const token = await credentialsOf(caller);
      const headers: HeadersInit = token === null ? {} : { Authorization: `Bearer ${token}` };
      const outcome = await decideAccess(access, new Request(SITE, { headers })).then(
        () => 200,
        (error: unknown) => failureOf(error)?.status,
      );
      const shut = token === null || caller === 'bad token' ? 401 : 403;
      expect([caller, outcome]).toEqual([caller, opens[index] ? 200 : shut]);
    }
  });

  test('an admin whose role was revoked is refused at the next request', async () => {
    const admin = await fixture.account('admin');
    const token = await fixture.signIn(admin);
    expect((await send('GET', '/api/pokemon-center/status', { token })).status).toBe(200);
    await fixture.db.updateTable('users').set({ role: 'member' }).where('id', '=', admin.id).execute();
    expect((await send('GET', '/api/pokemon-center/status', { token })).status).toBe(403);
  });

  test('an invalid bearer token is refused despite a valid cookie', async () => {
    const cookie = await fixture.tokenOf('member');
    expect((await send('GET', '/api/auth/user', { cookie, token: 'x'.repeat(43) })).status).toBe(401);
  });
});

test('an unknown path is a JSON 404', async () => {
  for (const path of ['/api/nothing', '/api/auth', '/api/pokemon-center/debug', '/api/auth/user/x'])
    expect(await callApi('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
