import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRegistry } from '~/http/api-registry.server';
import { openApiDocument } from '~/http/openapi.server';
import { ask, createApiWorld, send, SITE, type ApiWorld, type Sent } from './api-world';

let world: ApiWorld;
let tokens: (string | null)[];
beforeAll(async () => {
  world = await createApiWorld();
  tokens = [null, 'x'.repeat(43), await world.tokenOf('member'), await world.tokenOf('admin')];
});
afterAll(() => world.cleanup());

const SEED = 20_261_120;
const RUNS = 40;

/** What this test reads of a JSON schema. */
interface JsonSchema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query'; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const document = openApiDocument(apiRegistry, { title: 'Fuzzed', appUrl: SITE }) as unknown as Document;

/** Texts that have broken others before. */
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

/** Values that mostly fit a schema, so that they get past the first check. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, mostly(property)]),
        ),
        { requiredKeys: [] },
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

/** A path can hold no half of a surrogate pair. */
const wellFormed = (value: string): string => Buffer.from(value).toString();

interface Attempt {
  path: string;
  caller: number;
  sent: Sent;
}

/** Header values are Latin-1 without line breaks (Fetch standard, "header value"). */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

function attempts(path: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Attempt> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  return fc
    .record({
      id: text.filter((value) => value !== '' && value !== '.' && value !== '..'),
      search: fc.dictionary(
        fc.constantFrom('hours', 'audience', 'page', ...query.map(({ name }) => name)),
        text,
      ),
      caller: fc.nat({ max: 3 }),
      body: schema === undefined ? fc.constant(undefined) : mostly(schema),
      type: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain', '*/*'),
      authorization: fc.option(headerText, { freq: 10 }),
    })
    .map(({ id, search, caller, body, type, authorization }) => ({
      path: `${path.replace(/\{\w+\}/, encodeURIComponent(wellFormed(id)))}?${new URLSearchParams(search)}`,
      caller,
      sent: {
        body,
        headers: {
          ...(body !== undefined && { 'Content-Type': type }),
          ...(authorization !== null && { Authorization: authorization }),
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

/** What is honestly not there in this test: the daemon, Discord, and the reset of passwords. */
const HONEST_5XX: Record<string, number> = {
  'POST /api/pokemon-center/check': 503,
  'POST /api/auth/reset-password': 501,
};

test.each(operations)('$name never breaks', async ({ name, method, path, operation }) => {
  await fc.assert(
    fc.asyncProperty(attempts(path, operation), async ({ path: target, caller, sent }) => {
      const answer = await send(method, target, { token: tokens[caller] ?? null, ...sent });
      const body = await answer.text();
      expect(Object.keys(operation.responses)).toContain(String(answer.status));
      if (answer.status >= 500) expect(answer.status).toBe(HONEST_5XX[name]);
      expect(body).not.toMatch(/node_modules|\n\s+at |\.tsx?:\d|SQLITE|<html|<!doctype/i);
      if (answer.status === 302) {
        expect(answer.headers.get('Location')).toMatch(/^\/auth\/discord\/error\?reason=\w+$/);
        return;
      }
      expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
      const parsed = JSON.parse(body) as Record<string, unknown>;
      if (!answer.ok) {
        expect(parsed).toMatchObject({ success: false, code: expect.stringMatching(/^[a-z0-9_]+$/) });
        expect(parsed.message).toEqual(expect.stringMatching(/\S/));
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

const writes = operations.filter(({ method }) => method !== 'GET');

test.each(writes)('$name survives a body that is not even JSON', async ({ method, path, operation }) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const headers = { 'Content-Type': 'application/json' };
      const token = await world.tokenOf('admin');
      const answer = await ask(method, path.replace(/\{\w+\}/, 'x'), { token, headers, bytes });
      expect(Object.keys(operation.responses)).toContain(String(answer.status));
      expect(answer.body).toHaveProperty('success');
    }),
    { seed: SEED, numRuns: 10 },
  );
});
