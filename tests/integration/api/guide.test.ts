import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SESSION_LIFETIME_MS } from '#shared/accounts/sessions';
import { DAY, HOUR, MINUTE } from '#shared/clock';
import { JSON_LIMIT_BYTES } from '~/http/api/call.server';
import { LIMITS } from '#shared/rate-limits';
import { serverContext } from '~/http/server/context.server';
import { readDocument } from '~/routes/api/document.server';
import { freePort } from '../../free-port';
import { giveTokens } from '../../paid-accounts';
import { createApiFixture, type ApiFixture } from './api-fixture';
import { storeCheck } from '../alerts/finished-check';
import { insertProductWatch, productCheck } from '../monitor/product-watch';
import { startSite, type RunningSite } from '../running-site';
import { uploadRelease } from '../releases/uploaded-release';

const ROOT = new URL('../../../', import.meta.url);
const STEPS = new URL('tests/fixtures/guide/guide-steps.mjs', ROOT).href;
const HOOKS = new URL('tests/fixtures/guide/electron-hooks.mjs', ROOT).href;

interface Example {
  language: string;
  text: string;
  /** Its first line in docs/api.md. */
  line: number;
}

/** The fenced blocks of a Markdown text. */
function examplesOf(markdown: string): Example[] {
  return [...markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(
    ({ 1: language = '', 2: text = '', index }) => ({
      language,
      text,
      line: markdown.slice(0, index).split('\n').length + 1,
    }),
  );
}

/** The first line, the headers and the body of a request or response. */
function messageOf(text: string): { first: string; headers: string[][]; body: string } {
  const [, head = '', body = ''] = /^([^]*?)(?:\n\n([^]*))?$/.exec(text.trim()) ?? [];
  const [first = '', ...headers] = head.split('\n');
  return { first, body, headers: headers.map((line) => line.split(/: (.*)/s).slice(0, 2)) };
}

/** What the comments after `console.log` say. */
function printedBy(text: string): string[] {
  return text.split('\n').flatMap((line) => /console\.log\(.*\); \/\/ (.*)$/.exec(line)?.[1] ?? []);
}

/** The examples as one program, in their order. It ends with the first example that does something else than it says. */
function programOf(examples: readonly Example[]): string {
  const parts = examples.map(({ language, text, line }, at) => {
    if (language === 'js') return `${text}\nexpectPrinted(${JSON.stringify(printedBy(text))});`;
    if (language === 'sh') return `await shell(${JSON.stringify(text.trim())});`;
    if (language !== 'http') throw new Error(`line ${line}: an example in ${language || 'no language'}`);
    if (text.startsWith('HTTP/')) return '';
    const request = messageOf(text);
    const [method, target] = request.first.split(' ');
    const response = messageOf(examples[at + 1]?.text ?? '');
    const status = Number(/^HTTP\/1\.1 (\d+)$/.exec(response.first)?.[1]);
    return `await exchange(${JSON.stringify({ ...request, method, target })}, ${JSON.stringify({ ...response, status })}, token);`;
  });
  const numbered = parts.map(
    (part, at) => `// line ${examples[at]?.line}\nguideLine = ${examples[at]?.line};\n${part}`,
  );
  return [
    `import { exchange, expectPrinted, shell } from ${JSON.stringify(STEPS)};`,
    'let guideLine = 0;',
    "process.on('exit', (code) => { if (code !== 0) console.error(`docs/api.md, the example in line ${guideLine}`); });",
    ...numbered,
  ].join('\n');
}

let fixture: ApiFixture;
let site: RunningSite;
let origin: string;
let folder: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await freePort()}`;
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  fixture = await createApiFixture({
    APP_URL: origin,
    PROXY_POOL: 'http://packwatch:secret@proxy.packwatch.example:8000',
    DISCORD_CLIENT_ID: '1234',
    DISCORD_CLIENT_SECRET: 'a secret',
  });
  site = await startSite();
  const account = await fixture.account('pro', {
    email: 'ash@packwatch.example',
    password_hash: await serverContext().passwords.hash('correct horse battery', 'tests'),
  });
  await giveTokens(fixture.db, account.id, 3);
  await storeCheck(fixture.db, serverContext().clock, productCheck(await insertProductWatch(fixture.db)));
  const admin = await fixture.tokenOf('admin');
  await uploadRelease(admin, { version: '1.1.0', platform: 'windows', bytes: 100_000 });
  await uploadRelease(admin, { version: '1.2.0', platform: 'windows', bytes: 200_000 });
  await uploadRelease(admin, { version: '1.2.0', platform: 'linux', bytes: 120_000 });
});
afterAll(async () => {
  await site.close();
  await fixture.cleanup();
  await rm(folder, { recursive: true });
});

/** Runs a program in its own Node, with the packages of this repository. */
function runProgram(program: string): Promise<{ failed: boolean; errors: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', HOOKS, '--input-type=module', '-'],
      { cwd: ROOT, env: { ...process.env, PACKWATCH_API: `${origin}/api`, TMPDIR: folder } },
      (error, _output, errors) => resolve({ failed: error !== null, errors }),
    );
    child.stdin?.end(program);
  });
}

test('the guide states the limits and periods of the code', async () => {
  const guide = await readFile(new URL('docs/api.md', ROOT), 'utf8');
  const per = (name: keyof typeof LIMITS, windowMs: number): number => {
    expect(LIMITS[name].windowMs).toBe(windowMs);
    return LIMITS[name].points;
  };
  const account = per('loginAccount', 15 * MINUTE);
  for (const words of [
    `| ${account} in 15 minutes for an account, ${per('loginAddress', HOUR)} an hour for a network |`,
    `| registration | ${per('register', HOUR)} an hour for a network |`,
    `| \`tokens/consume\`, \`tokens/proxy-config\` | ${per('consume', MINUTE)} a minute each |`,
    `| changes of profile and preferences | ${per('accountWrite', MINUTE)} a minute |`,
    `| payments | ${per('payment', MINUTE)} a minute |`,
    `until it has not been used for ${SESSION_LIFETIME_MS / DAY} days`,
    `(${JSON_LIMIT_BYTES / 1024} KB of JSON)`,
  ])
    expect(guide).toContain(words);
  expect(LIMITS.proxyConfig).toEqual(LIMITS.consume);
});

test('the guide says what to do after each failure of the document', async () => {
  const guide = await readFile(new URL('docs/api.md', ROOT), 'utf8');
  const told = [...guide.matchAll(/^\| (\d{3}(?:, \d{3})*) \|/gm)].flatMap(([, statuses = '']) =>
    statuses.split(', '),
  );
  const { responses } = readDocument().components as { responses: object };
  expect(told.map((status) => `Failure${status}`).sort()).toEqual(Object.keys(responses).sort());
});

test('every example of the guide does what the guide says', async () => {
  const examples = examplesOf(await readFile(new URL('docs/api.md', ROOT), 'utf8'));
  expect(examples.length).toBeGreaterThan(20);
  expect(await runProgram(programOf(examples))).toEqual({ failed: false, errors: '' });
});
