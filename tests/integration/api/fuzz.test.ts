import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { systemClock } from '#shared/clock';
import { PLATFORM_FILES, PLATFORMS } from '#shared/releases/release';
import { createArticle } from '#shared/news/save-article.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { openApiDocument } from '~/http/api/openapi.server';
import { serverContext } from '~/http/server/context.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { windowsProgram } from '../../fixtures/releases/programs';
import {
  apiGroups,
  callApi,
  createApiFixture,
  send,
  SITE,
  type ApiFixture,
  type SentRequest,
} from './api-fixture';
import { stripeVariables } from '../payments/payments-fixture';

let sandbox: Sandbox;
let fixture: ApiFixture;
let accounts: Account[];
/** An article that exists until a call deletes it. */
let articleId = '';
beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture(stripeVariables(sandbox));
  await syncPackages(serverContext().payments);
  accounts = [await fixture.account('member'), await fixture.account('admin')];
  const article = await createArticle(fixture.db, {
    fields: { title: 'A title', content: '<p>Some text.</p>', published: true },
    author: { id: null, username: null },
    clock: systemClock,
  });
  articleId = article.id;
  const form = new FormData();
  for (const [name, value] of Object.entries({ version: '1.0.0', platform: 'windows' }))
    form.set(name, value);
  form.set('file', new Blob([new Uint8Array(windowsProgram())]), 'setup.exe');
  await callApi('POST', '/api/downloads/upload', { token: await tokenOf('admin'), form });
});

/** A new session for each attempt, since one of the calls ends it. */
async function tokenOf(caller: Attempt['caller']): Promise<string | null> {
  if (caller === 'anonymous') return null;
  const account = accounts[caller === 'member' ? 0 : 1];
  return account === undefined || caller === 'bad token' ? 'x'.repeat(43) : fixture.signIn(account);
}

afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
});

const SEED = 20_261_120;
const RUNS = 15;
/** Runs of the calls that hash a password. */
const HASHING_RUNS = 10;

/** The part of a JSON schema that this test reads. */
interface JsonSchema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const document = openApiDocument(apiGroups, { productName: 'Fuzzed', appUrl: SITE }) as unknown as Document;

/** Texts that are known to break parsers. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  '\u0000',
  '\ud800',
  '‮',
  'a@b.example',
  '000000',
  'correct horse battery',
  '9'.repeat(400),
  'x'.repeat(5_000),
  'check_interval_seconds',
  'https://discord.com/api/webhooks/1/a',
  'http://127.0.0.1/api/webhooks/1/a',
);

const text = fc.oneof(nasty, fc.string({ unit: 'binary' }));
const anything = fc.oneof(fc.jsonValue(), text, fc.constantFrom(null, -1, 1e308, 0.1, [], {}));

/** Valid values for a field of this name, so that some attempts pass validation. */
const RIGHT: Record<string, readonly unknown[]> = {
  email: ['ash@packwatch.example', ' Misty@Packwatch.Example '],
  password: ['correct horse battery', 'p\u00e4ssw\u00f6rter \u{1f511}'],
  code: ['000000', '123456'],
  username: ['Ash', '\u{1f511}', '  Misty  '],
  setting_key: ['check_interval_seconds', 'monitoring_hours', 'discord_webhook_url', '__proto__'],
  setting_value: ['30', '9-21', '24-9', ''],
  hours: ['1', '720', '721', '0'],
  audience: ['instant', 'free', 'admin', 'all'],
  title: ['A title', '\u{1f511}'],
  content: [
    '<p>Some <strong>text</strong></p>',
    '<svg><style><img src=x onerror=alert(1)>',
    '<p>'.repeat(2_000),
  ],
  excerpt: ['In short', null],
  mediaId: [null, 'none'],
  page: ['1', '2', '0', '-1', '999999999999999', '9999999999999999', '1e3'],
  limit: ['1', '100', '101', '0', ' 5'],
  'Tus-Resumable': ['1.0.0'],
  'Upload-Length': ['4096', '0', '99999999999', '-1'],
  'Upload-Offset': ['0', '1', '-1'],
  'Upload-Metadata': [
    'filename YS5leGU=,version MS4wLjA=,platform d2luZG93cw==',
    'filename',
    'a b c',
    '__proto__ YQ==',
  ],
  value: ['true', 'false', '', 'https://discord.gg/packwatch'],
  taskId: ['a-task', 'another-task', '', 'x'.repeat(101)],
  packageId: ['tokens-50', 'pro-monthly', 'none', ''],
  version: ['1.0.0', '9.9.9', '1.0', '1.0.0+build'],
  Range: ['bytes=0-9', 'bytes=-1', 'bytes=9-', 'bytes=99999-', 'bytes=0-1,4-5', 'items=1'],
  'If-Range': ['"an etag"', 'W/"an etag"', 'Mon, 23 Nov 2026 05:00:00 GMT'],
  'If-Match': ['"an etag"', '*'],
  'If-None-Match': ['"an etag"', '*'],
  retailers: [['Argos', 'Smyths Toys'], ['Argos', 'ARGOS'], ['']],
};

/** Valid values of path parameters; others name articles. */
const RIGHT_PLACES: Record<string, readonly string[]> = {
  key: ['news_section_enabled', 'discord_invite_url', 'tracking_sets'],
  platform: PLATFORMS,
  version: ['1.0.0', '9.9.9'],
  fileName: PLATFORMS.map((platform) => PLATFORM_FILES[platform].fileName),
};

/** Values that mostly match a schema, so that they often pass validation. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, field(name, property)]),
        ),
      );
    case 'array':
      return fc.array(mostly(schema.items ?? {}), { maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double());
    case 'string':
      return text;
    default:
      return anything;
  }
}

function mostly(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });
}

/** A path cannot contain a lone surrogate. */
const wellFormed = (value: string): string => Buffer.from(value).toString();

function field(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const right = RIGHT[name];
  const wild = fc.oneof(
    { weight: 4, arbitrary: mostly(schema) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  if (right === undefined) return wild;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: wild });
}

interface Attempt {
  path: string;
  caller: 'anonymous' | 'bad token' | 'member' | 'admin';
  sent: SentRequest;
}

/** A header value (RFC 9110, section 5.5). */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

function attempts(path: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Attempt> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const schema = requestBody?.content['application/json']?.schema;
  return fc
    .record({
      places: fc.record(
        Object.fromEntries(
          placeholders.map((name) => [
            name,
            fc.oneof(
              text.filter((value) => value !== '' && value !== '.' && value !== '..'),
              fc.constantFrom(...(RIGHT_PLACES[name] ?? [articleId])),
            ),
          ]),
        ),
      ),
      search: fc.record(
        Object.fromEntries(
          ['page', ...query.map(({ name }) => name)].map((name) => [
            name,
            fc.constantFrom(...(RIGHT[name] ?? ['1'])),
          ]),
        ),
        { requiredKeys: [] },
      ),
      junk: fc.option(fc.dictionary(fc.constantFrom('hours', 'audience', '_data', 'x'), text), { freq: 2 }),
      // Most attempts are an admin's, whose calls get furthest.
      caller: fc.constantFrom<Attempt['caller'][]>(
        'anonymous',
        'bad token',
        'member',
        'member',
        'admin',
        'admin',
        'admin',
      ),
      body: schema === undefined ? fc.constant(undefined) : fitting(schema),
      type: fc.oneof(
        { weight: 9, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom('text/plain', '*/*', 'application/json+x') },
      ),
      authorization: fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: headerText },
      ),
      headers: fc.record(
        Object.fromEntries(
          headers.map(({ name }) => [
            name,
            fc.oneof(
              { weight: 9, arbitrary: fc.constantFrom(...(RIGHT[name] ?? [''])) },
              { weight: 1, arbitrary: headerText },
            ),
          ]),
        ),
        { requiredKeys: [] },
      ),
    })
    .map(({ places, search, junk, caller, body, type, authorization, headers }) => ({
      path: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(wellFormed(places[name] ?? '')))}?${new URLSearchParams({ ...search, ...junk } as Record<string, string>)}`,
      caller,
      sent: {
        body,
        headers: {
          ...(body !== undefined && { 'Content-Type': type }),
          ...(authorization !== null && { Authorization: authorization }),
          ...(headers as Record<string, string>),
        },
      },
    }));
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

/** The 5xx that are expected here: there is no daemon, no Discord and no password reset. */
const EXPECTED_5XX: Record<string, number> = {
  'POST /api/pokemon-center/check': 503,
  'POST /api/auth/reset-password': 501,
};

test.each(operations)(
  '$name answers any input with a documented status and our JSON',
  async ({ name, method, path, operation }) => {
    await fc.assert(
      fc.asyncProperty(attempts(path, operation), async ({ path: target, caller, sent }) => {
        const answer = await send(method, target, { token: await tokenOf(caller), ...sent });
        const body = await answer.text();
        expect(Object.keys(operation.responses)).toContain(String(answer.status));
        if (answer.status >= 500) expect(answer.status).toBe(EXPECTED_5XX[name]);
        expect(body).not.toMatch(/node_modules|\n\s+at |\.tsx?:\d|SQLITE|<html|<!doctype/i);
        if (answer.status === 302) {
          expect(answer.headers.get('Location')).toMatch(/^\/auth\/discord\/error\?reason=\w+$/);
          return;
        }
        if (answer.status === 304 || (answer.ok && body === '')) return;
        const { content = {} } = operation.responses[answer.status] as { content?: object };
        const type = answer.headers.get('Content-Type') ?? '';
        if (answer.ok && !('application/json' in content)) {
          expect(Object.keys(content)).toContain(type.split(';')[0]);
          return;
        }
        expect(type).toBe('application/json; charset=utf-8');
        const parsed = JSON.parse(body) as Record<string, unknown>;
        if (!answer.ok) {
          expect(parsed).toMatchObject({ success: false, code: expect.stringMatching(/^[a-z0-9_]+$/) });
          expect(parsed.message).toEqual(expect.stringMatching(/\S/));
        }
      }),
      { seed: SEED, numRuns: /login|register/.test(name) ? HASHING_RUNS : RUNS },
    );
  },
);

const writes = operations.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));

test.each(writes)(
  '$name answers random bytes with a documented status and our JSON',
  async ({ method, path, operation }) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const headers = { 'Content-Type': 'application/json' };
        const token = await fixture.tokenOf('admin');
        const answer = await callApi(method, path.replaceAll(/\{\w+\}/g, 'x'), { token, headers, bytes });
        expect(Object.keys(operation.responses)).toContain(String(answer.status));
        expect(answer.body).toHaveProperty('success');
      }),
      { seed: SEED, numRuns: 10 },
    );
  },
);
