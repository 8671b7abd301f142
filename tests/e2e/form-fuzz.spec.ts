import fc from 'fast-check';
import { MINUTE, systemClock } from '#shared/clock';
import { newId } from '#shared/ids';
import { createArticle } from '#shared/news/save-article.server';
import { createRelease } from '#shared/releases/save-release.server';
import { startAdminWeb, type AdminWeb } from './admin-web';
import { expect, test } from './test';

const SEED = 20_261_122;
const RUNS_PER_PAGE = 8;
const ANSWER_LIMIT_MS = MINUTE;
/** A field is repeated until it has about this length. */
const MAX_REPEATED_CHARACTERS = 100_000;

let admin: AdminWeb;
let article: string;
let release: string;

test.beforeAll(async () => {
  admin = await startAdminWeb('form-fuzz');
  const fields = { title: 'A new set', content: '<p>It is here.</p>' };
  const author = { id: null, username: null };
  article = (await createArticle(admin.db, { fields, author, clock: systemClock })).id;
  const draft = { version: '1.0.0', releaseNotes: '', isBeta: false, published: false };
  const actor = { userId: null };
  release = (await createRelease(admin.db, { fields: draft, actor, clock: systemClock })).id;
});

test.afterAll(() => admin.stop());

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
  const signedIn = { signedIn: true };
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
      ...signedIn,
    },
    {
      path: '/dashboard',
      intents: ['request-beta', 'start-tokens', 'checkout-tokens', 'start', 'stop', 'check'],
      fields: ['scripts', 'packageId'],
      ...signedIn,
    },
    {
      path: '/dashboard/subscription',
      intents: [
        'start-subscription',
        'checkout-subscription',
        'cancel',
        'reactivate',
        'preview',
        'change',
        'portal',
      ],
      fields: ['packageId', 'quoteId', 'reason'],
      ...signedIn,
    },
    {
      path: '/dashboard/site-settings',
      intents: ['news', 'add-retailer', 'remove-retailer', 'discord-invite'],
      fields: ['retailer', 'enabled', 'value', 'scripts'],
      ...signedIn,
    },
    {
      path: '/dashboard/beta-access',
      intents: ['approve', 'revoke'],
      fields: ['id', 'scripts'],
      ...signedIn,
    },
    {
      path: '/dashboard/hero-slides',
      intents: ['slides'],
      fields: ['newsSlideEnabled', 'discordSlideEnabled', 'scripts'],
      ...signedIn,
    },
    {
      path: '/dashboard/hero-tracking',
      intents: ['enable', 'add', 'switch', 'rename', 'up', 'down', 'remove'],
      fields: ['id', 'name', 'enabled', 'imageUrl', 'image', 'scripts'],
      ...signedIn,
    },
    {
      path: '/dashboard/articles',
      intents: ['publish', 'unpublish', 'feature', 'unfeature'],
      fields: ['articleId', 'scripts'],
      ...signedIn,
    },
    { path: '/dashboard/articles/new', intents: ['save', 'overwrite'], fields: articleFields, ...signedIn },
    {
      path: edit,
      intents: ['save', 'overwrite', 'caption', 'move-up', 'feature-image', 'upload'],
      fields: [...articleFields, 'mediaId', 'altText', 'caption', 'file'],
      ...signedIn,
    },
    { path: `/dashboard/articles/${newId()}/delete`, intents: ['delete'], fields: ['scripts'], ...signedIn },
    { path: `${edit}/media/${newId()}/delete`, intents: ['delete'], fields: ['scripts'], ...signedIn },
    {
      path: '/dashboard/monitor',
      intents: [
        ...['start', 'stop', 'check', 'test', 'set-webhook', 'delete-webhook', 'settings'],
        ...['retry', 'handle', 'retry-members', 'handle-members'],
      ],
      fields: [
        ...['audience', 'from', 'webhook_url', 'deliveryId', 'channel', 'alertId', 'intervalSeconds'],
        ...['hoursFrom', 'hoursTo', 'scrappeyDailyLimit', 'roleInstant', 'roleFree'],
      ],
      ...signedIn,
    },
    {
      path: '/dashboard/releases',
      intents: ['create'],
      fields: ['version', 'releaseNotes', 'isBeta'],
      ...signedIn,
    },
    {
      path: `/dashboard/releases/${release}`,
      intents: ['save', 'preview', 'publish', 'withdraw', 'upload', 'cancel-upload'],
      fields: ['version', 'releaseNotes', 'isBeta', 'platform', 'file', 'uploadId'],
      ...signedIn,
    },
    { path: `/dashboard/releases/${newId()}/delete`, intents: ['delete'], fields: ['scripts'], ...signedIn },
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
  '\u0000',
  '\u202e',
);

/** Names that are refused before they reach a parser. */
const hugeName = fc.constantFrom(`a${'[0]'.repeat(15_000)}`, `${'a.'.repeat(20_000)}a`, 'x'.repeat(50_000));

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
    'dark',
    'all',
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

/** How a form is made; small enough to be read when it has failed. */
interface FormPlan {
  intent: string;
  pairs: Pair[];
  repeated: number;
  encoding: keyof typeof ENCODINGS;
  /** Appended to the body. */
  junk: Uint8Array | null;
  /** How much of the body is sent, from 0 to 1. */
  cutAt: number | null;
  suffix: string;
  gzipped: boolean;
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

/** One of these values, each as often as its weight says. */
function weighted<T>(...choices: [weight: number, ...values: T[]][]): fc.Arbitrary<T> {
  return fc.oneof(
    ...choices.map(([weight, ...values]) => ({ weight, arbitrary: fc.constantFrom(...values) })),
  );
}

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 1, arbitrary }, { weight: 11, arbitrary: fc.constant(null) });
}

/** Most forms are such that they get past the first checks. */
function forms({ intents, fields }: FormPage): fc.Arbitrary<FormPlan> {
  const known = fc.constantFrom(...(fields.length === 0 ? ['x'] : fields));
  const name = fc.oneof(
    { weight: 20, arbitrary: known },
    { weight: 5, arbitrary: spelled(oddName) },
    { weight: 1, arbitrary: spelled(hugeName) },
    { weight: 1, arbitrary: spelled(value) },
  );
  const pair = fc.tuple(name, spelled(value));
  return fc.record({
    intent: weighted(
      [intents.length === 0 ? 0 : 9, ...(intents.length === 0 ? ['none'] : intents)],
      [1, 'none'],
    ),
    pairs: fc.array(pair, { maxLength: 6 }),
    repeated: weighted([20, 1], [1, 30], [1, 10_000]),
    encoding: weighted<keyof typeof ENCODINGS>(
      [20, 'urlEncoded'],
      [4, 'multipart'],
      [4, ...(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[])],
    ),
    junk: seldom(fc.uint8Array({ maxLength: 100 })),
    cutAt: seldom(fc.double({ min: 0, max: 1, noNaN: true })),
    suffix: weighted([4, ''], [4, '.data'], [1, '?index', '.data?_routes=root', '?_data=root']),
    gzipped: weighted([12, false], [1, true]),
    chunked: fc.boolean(),
    withCookie: weighted([9, true], [1, false]),
  });
}

function bodyOf({ intent, pairs, repeated, encoding, junk, cutAt }: FormPlan): Buffer {
  const some = pairs.flatMap((pair) => {
    const most = Math.ceil(MAX_REPEATED_CHARACTERS / (pair.join('=').length + 1));
    return Array.from({ length: Math.min(repeated, most) }, () => pair);
  });
  const body = Buffer.concat([
    ENCODINGS[encoding][1]([['intent', intent], ...some]),
    junk ?? Buffer.alloc(0),
  ]);
  return cutAt === null ? body : body.subarray(0, Math.floor(body.byteLength * cutAt));
}

let sentForms = 0;

/** Sends a form as one of our own pages would, and resolves with the answer's status. */
async function sendForm(page: FormPage, plan: FormPlan): Promise<number> {
  sentForms += 1;
  const bytes = bodyOf(plan);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.byteLength; at += 16_384)
        controller.enqueue(bytes.subarray(at, at + 16_384));
      controller.close();
    },
  });
  const [type] = ENCODINGS[plan.encoding];
  const answer = await fetch(admin.web.url + page.path + plan.suffix, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    headers: {
      Origin: admin.web.url,
      'X-Forwarded-For': `10.1.${sentForms >> 8}.${sentForms & 255}`,
      ...(type !== '' && { 'Content-Type': type }),
      ...(plan.gzipped && { 'Content-Encoding': 'gzip' }),
      ...(page.signedIn === true && plan.withCookie && { Cookie: admin.cookie }),
    },
    ...(plan.chunked ? { body: stream, duplex: 'half' } : { body: new Uint8Array(bytes) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('no form breaks a page or ends the web process @no-scripts', async () => {
  test.slow();
  const { pid } = admin.web.running.child;
  const pages = formPages();
  for (const [index, page] of pages.entries()) {
    await fc.assert(
      fc.asyncProperty(forms(page), async (plan) => {
        expect(await sendForm(page, plan), page.path).toBeLessThan(500);
      }),
      { seed: SEED + index, numRuns: RUNS_PER_PAGE },
    );
  }
  expect(sentForms).toBeGreaterThanOrEqual(pages.length * RUNS_PER_PAGE);
  expect(admin.web.running.child).toMatchObject({ pid, exitCode: null, signalCode: null });
  expect((await fetch(`${admin.web.url}/healthz`)).status).toBe(200);
  expect(admin.web.running.output()).not.toMatch(/"level":"(error|fatal)"/);
});

/** Fields of a stranger's form that ended the process, or that it answered with 500. */
const ATTACKS: Record<string, Pair[]> = {
  'a list of five million': [['email[5000000]', 'x']],
  'a command of the form library': [['__intent__', '%7B']],
  'a state of the form library': [['__state__', '%7B']],
  '15,000 lists in one name': [[`email${'[0]'.repeat(15_000)}`, 'x']],
  '20,000 objects in one name': [[`${'a.'.repeat(20_000)}a`, 'x']],
  '20,000 fields': Array.from({ length: 20_000 }, () => ['a', '']),
};

const PLAIN: Omit<FormPlan, 'intent' | 'pairs'> = {
  repeated: 1,
  encoding: 'urlEncoded',
  junk: null,
  cutAt: null,
  suffix: '',
  gzipped: false,
  chunked: false,
  withCookie: true,
};

for (const [title, pairs] of Object.entries(ATTACKS)) {
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
        { ...PLAIN, intent: page.intent, pairs },
      );
      expect([200, 400, 413], page.path).toContain(status);
    }
    expect(admin.web.running.child.exitCode).toBeNull();
  });
}
