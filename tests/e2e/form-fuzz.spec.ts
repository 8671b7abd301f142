import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createAccount } from '#shared/accounts/account';
import { createSession } from '#shared/accounts/sessions';
import { MINUTE, systemClock, toIso } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { createArticle } from '#shared/news/save-article.server';
import { PLAIN_SESSION_COOKIE } from '~/http/session-cookie.server';
import { runTool, startWeb, type Web } from './stack';
import { expect, test } from './test';

const SEED = 20_261_122;
const RUNS_PER_PAGE = 40;
const ANSWER_LIMIT_MS = MINUTE;
/** A field is repeated until it has about this length. */
const MAX_REPEATED_CHARACTERS = 100_000;

let folder: string;
let web: Web;
let db: Database;
let cookie: string;
let article: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-form-fuzz-'));
  const environment = {
    SANDBOX: '1',
    DATA_DIR: folder,
    REDIS_URL: 'redis://127.0.0.1:1',
    SESSION_SECRET: 'a-secret-of-some-length',
    // Limits count by address, and each form comes from one of its own.
    TRUST_PROXY: '1',
    // As `npm run start:web` has it: a form that takes too much memory ends the process here as well.
    NODE_OPTIONS: '--max-old-space-size=224',
  };
  await runTool('migrate', [], environment, folder);
  db = openDatabase(join(folder, 'packwatch.db'));
  web = await startWeb(environment, folder);
  const { id: accountId } = await inTransaction(db, async (trx) => {
    const account = await createAccount(
      trx,
      { email: 'admin@packwatch.example', username: 'admin' },
      Date.now(),
    );
    await trx
      .updateTable('users')
      .set({ role: 'admin', email_verified_at: toIso(Date.now()) })
      .where('id', '=', account.id)
      .execute();
    return account;
  });
  const { token } = await createSession(db, { accountId, userAgent: null, clock: systemClock });
  cookie = `${PLAIN_SESSION_COOKIE}=${token}`;
  const fields = { title: 'A new set', content: '<p>It is here.</p>' };
  article = (await createArticle(db, { fields, author: { id: null, username: null }, clock: systemClock }))
    .id;
});

test.afterAll(async () => {
  await web.running.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

interface FormPage {
  path: string;
  intents: string[];
  fields: string[];
  signedIn?: boolean;
}

/** Every page that takes a form, and the names of its fields. */
function formPages(): FormPage[] {
  const edit = `/dashboard/articles/${article}`;
  const articleFields = [
    'title',
    'content',
    'excerpt',
    'published',
    'featured',
    'version',
    'draft',
    'scripts',
  ];
  const admin = { signedIn: true };
  return [
    {
      path: '/login',
      intents: ['login', 'verify', 'resend'],
      fields: ['email', 'password', 'code', 'scripts'],
    },
    { path: '/signup', intents: ['register'], fields: ['email', 'password', 'scripts'] },
    { path: '/logout', intents: [], fields: ['scripts', 'localToken'] },
    { path: '/theme', intents: [], fields: ['theme', 'returnTo'] },
    { path: '/consent', intents: [], fields: ['choice', 'analytics', 'marketing', 'returnTo'] },
    {
      path: '/account',
      intents: ['name', 'preferences', 'revoke'],
      fields: ['username', 'alertsByEmail', 'alertsByPush', 'marketing', 'sessionId'],
      ...admin,
    },
    {
      path: '/dashboard',
      intents: ['request-beta', 'start', 'stop', 'check'],
      fields: ['scripts'],
      ...admin,
    },
    {
      path: '/dashboard/site-settings',
      intents: ['news', 'add-retailer', 'remove-retailer', 'discord-invite'],
      fields: ['retailer', 'enabled', 'value', 'scripts'],
      ...admin,
    },
    { path: '/dashboard/beta-access', intents: ['approve', 'revoke'], fields: ['id', 'scripts'], ...admin },
    {
      path: '/dashboard/hero-slides',
      intents: ['slides'],
      fields: ['newsSlideEnabled', 'discordSlideEnabled', 'scripts'],
      ...admin,
    },
    {
      path: '/dashboard/hero-tracking',
      intents: ['enable', 'add', 'switch', 'rename', 'up', 'down', 'remove'],
      fields: ['id', 'name', 'enabled', 'imageUrl', 'image', 'scripts'],
      ...admin,
    },
    {
      path: '/dashboard/articles',
      intents: ['publish', 'unpublish', 'feature', 'unfeature'],
      fields: ['articleId', 'scripts'],
      ...admin,
    },
    { path: '/dashboard/articles/new', intents: ['save', 'overwrite'], fields: articleFields, ...admin },
    {
      path: edit,
      intents: ['save', 'overwrite', 'caption', 'move-up', 'feature-image', 'upload'],
      fields: [...articleFields, 'mediaId', 'altText', 'caption', 'file'],
      ...admin,
    },
    { path: `/dashboard/articles/${newId()}/delete`, intents: ['delete'], fields: ['scripts'], ...admin },
    { path: `${edit}/media/${newId()}/delete`, intents: ['delete'], fields: ['scripts'], ...admin },
    { path: '/dashboard/monitor', intents: ['start', 'stop', 'check'], fields: ['scripts'], ...admin },
    { path: '/', intents: [], fields: [] },
    { path: '/nope', intents: [], fields: [] },
  ];
}

/** Names that made a parser build, loop or throw. */
const oddName = fc.constantFrom(
  '__intent__',
  '__state__',
  '__proto__',
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'toString',
  '',
  '[0]',
  '.',
  'a.[b',
  'email[5000000]',
  'email[4294967295]',
  'title[4294967294][4294967294]',
  'username[]',
  'email[-1]',
  `a${'[0]'.repeat(15_000)}`,
  `${'a.'.repeat(20_000)}a`,
  'x'.repeat(50_000),
  '\u0000',
  '\u202e',
);

const value = fc.oneof(
  fc.constantFrom(
    '',
    'on',
    'true',
    'x',
    '{',
    '{"type":"reset","payload":{}}',
    '{"type":"insert","payload":{"name":"email","index":4000000000}}',
    '{"type":"update","payload":{"name":"a[5000000]","value":1}}',
    'a@b.example',
    'correct horse battery',
    '000000',
    '<svg><style><img src=x onerror=alert(1)>',
    '<p>'.repeat(2_000),
    '\u0000',
    "' or 1=1 --",
    '//evil.example',
    'x'.repeat(70_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** How a text is written in a form: as browsers do, as it is, or with broken escapes. */
const spelled = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(
      text,
      fc.constantFrom<'encoded' | 'raw' | 'broken'>('encoded', 'encoded', 'encoded', 'raw', 'broken'),
    )
    .map(([plain, how]) => {
      const wellFormed = Buffer.from(plain).toString();
      if (how === 'raw') return wellFormed;
      return encodeURIComponent(wellFormed) + (how === 'broken' ? '%E0%A4%' : '');
    });

interface SentForm {
  suffix: string;
  headers: Record<string, string>;
  bytes: Buffer;
  /** Sent in pieces, without its length. */
  chunked: boolean;
  withCookie: boolean;
}

type Pair = [name: string, value: string];

function urlEncoded(pairs: Pair[]): Buffer {
  return Buffer.from(pairs.map(([name, text]) => `${name}=${text}`).join('&'));
}

const BOUNDARY = 'a-boundary-of-ours';

function multipart(pairs: Pair[]): Buffer {
  const parts = pairs.map(([name, text], index) => {
    const file = /file|image/.test(name) ? `; filename="${index}.png"` : '';
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
}

const ENCODINGS = {
  urlEncoded: ['application/x-www-form-urlencoded', urlEncoded],
  otherCharset: ['Application/X-WWW-Form-Urlencoded; charset=utf-16', urlEncoded],
  multipart: [`multipart/form-data; boundary=${BOUNDARY}`, multipart],
  otherBoundary: ['multipart/form-data; boundary=another', multipart],
  noBoundary: ['multipart/form-data', multipart],
  json: ['application/json', urlEncoded],
  text: ['text/plain', urlEncoded],
  nothing: ['', urlEncoded],
} as const;

function forms({ intents, fields }: FormPage): fc.Arbitrary<SentForm> {
  const known = fc.constantFrom(...(fields.length === 0 ? ['x'] : fields));
  const name = spelled(
    fc.oneof(
      { weight: 5, arbitrary: known },
      { weight: 3, arbitrary: oddName },
      { weight: 1, arbitrary: value },
    ),
  );
  const pair = fc.tuple(name, spelled(value));
  return fc
    .record({
      intent: fc.constantFrom(...intents, 'none'),
      pairs: fc.array(pair, { maxLength: 6 }),
      repeated: fc.constantFrom(1, 1, 1, 1, 1, 30, 10_000),
      encoding: fc.constantFrom<(keyof typeof ENCODINGS)[]>(
        'urlEncoded',
        'urlEncoded',
        'urlEncoded',
        'urlEncoded',
        'urlEncoded',
        'multipart',
        'multipart',
        ...(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[]),
      ),
      junk: fc.option(fc.uint8Array({ maxLength: 100 }), { freq: 5 }),
      cutAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 5 }),
      suffix: fc.constantFrom('', '', '.data', '?index', '.data?_routes=root', '?_data=root'),
      gzipped: fc.constantFrom(false, false, false, false, true),
      chunked: fc.boolean(),
      withCookie: fc.constantFrom(true, true, true, false),
    })
    .map(({ intent, pairs, repeated, encoding, junk, cutAt, suffix, gzipped, chunked, withCookie }) => {
      const [type, write] = ENCODINGS[encoding];
      const some = pairs.flatMap((one) => {
        const most = Math.ceil(MAX_REPEATED_CHARACTERS / (one[0].length + one[1].length + 1));
        return Array.from({ length: Math.min(repeated, most) }, () => one);
      });
      const whole = Buffer.concat([write([['intent', intent], ...some]), junk ?? Buffer.alloc(0)]);
      return {
        suffix,
        headers: {
          ...(type !== '' && { 'Content-Type': type }),
          ...(gzipped && { 'Content-Encoding': 'gzip' }),
        },
        bytes: cutAt === null ? whole : whole.subarray(0, Math.floor(whole.byteLength * cutAt)),
        chunked,
        withCookie,
      };
    });
}

let sentForms = 0;

/** Sends a form as one of our own pages would, and resolves with the answer's status. */
async function sendForm(
  page: FormPage,
  { suffix, headers, bytes, chunked, withCookie }: SentForm,
): Promise<number> {
  sentForms += 1;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.byteLength; at += 16_384)
        controller.enqueue(bytes.subarray(at, at + 16_384));
      controller.close();
    },
  });
  const answer = await fetch(web.url + page.path + suffix, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    headers: {
      Origin: web.url,
      'X-Forwarded-For': `10.1.${sentForms >> 8}.${sentForms & 255}`,
      ...(page.signedIn === true && withCookie && { Cookie: cookie }),
      ...headers,
    },
    ...(chunked ? { body: stream, duplex: 'half' } : { body: new Uint8Array(bytes) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('no form breaks a page or ends the web process @no-scripts', async () => {
  test.slow();
  const { pid } = web.running.child;
  const pages = formPages();
  for (const page of pages) {
    await fc.assert(
      fc.asyncProperty(forms(page), async (form) => {
        expect(await sendForm(page, form), page.path).toBeLessThan(500);
      }),
      { seed: SEED, numRuns: RUNS_PER_PAGE },
    );
  }
  expect(sentForms).toBeGreaterThanOrEqual(pages.length * RUNS_PER_PAGE);
  expect(web.running.child).toMatchObject({ pid, exitCode: null, signalCode: null });
  expect((await fetch(`${web.url}/healthz`)).status).toBe(200);
  expect(web.running.output()).not.toMatch(/"level":"(error|fatal)"/);
});

/** Forms of a stranger that ended the process, or that it answered with 500. */
const ATTACKS = {
  'a list of five million': 'email[5000000]=x',
  'a command of the form library': '__intent__=%7B',
  'a state of the form library': '__state__=%7B',
  '15,000 lists in one name': `email${'[0]'.repeat(15_000)}=x`,
  '20,000 objects in one name': `${'a.'.repeat(20_000)}a=x`,
  '30,000 fields': '&a'.repeat(30_000),
};

for (const [title, fields] of Object.entries(ATTACKS)) {
  test(`${title}: the form is answered at once, and the process lives @no-scripts`, async () => {
    for (const page of [
      { path: '/login', intent: 'login' },
      { path: '/login.data', intent: 'login' },
      { path: '/signup', intent: 'register' },
      { path: '/account', intent: 'name', signedIn: true },
      { path: '/dashboard/articles/new', intent: 'save', signedIn: true },
      { path: `/dashboard/articles/${article}`, intent: 'save', signedIn: true },
    ]) {
      const status = await sendForm(
        { intents: [], fields: [], ...page },
        {
          suffix: '',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          bytes: Buffer.from(`intent=${page.intent}&${fields}`),
          chunked: false,
          withCookie: true,
        },
      );
      expect([200, 400, 413], page.path).toContain(status);
    }
    expect(web.running.child.exitCode).toBeNull();
  });
}
