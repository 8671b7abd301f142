import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const started: ChildProcess[] = [];
let folder: string;
let program: string;

// Starts faster than with tsx, and is the code as it is now.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-sandbox-program-'));
  program = join(folder, 'main.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: program,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

interface Ready {
  sandbox: string;
  origin: string;
  smtpUrl: string;
  shopUrl: string;
  scrappeyUrl: string;
  webhooks: Record<string, string>;
  stripeApiUrl: string;
  stripeJsUrl: string;
  stripeSecretKey: string;
}

function start(environment: Record<string, string> = {}, ipc = false): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  started.push(child);
  return child;
}

async function ready(child: ChildProcess): Promise<Ready> {
  if (!child.stdout) throw new Error('no stdout');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return JSON.parse(line) as Ready;
}

test('one line lists all addresses, and SIGTERM ends the process cleanly although a request hangs', async () => {
  const child = start();
  const addresses = await ready(child);
  expect(addresses.sandbox).toBe('ready');
  expect(addresses.smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
  expect(Object.keys(addresses.webhooks)).toEqual(['instant', 'free', 'admin']);
  expect((await fetch(addresses.shopUrl)).status).toBe(200);
  expect((await fetch(addresses.webhooks.admin ?? '')).status).toBe(200);

  await fetch(`${addresses.origin}/control/shop`, { method: 'PUT', body: '{"mode":"slow"}' });
  const held = fetch(addresses.shopUrl).catch(() => 'cut off');
  const state = async () =>
    (await (await fetch(`${addresses.origin}/control/shop`)).json()) as { requestCount: number };
  await expect.poll(async () => (await state()).requestCount).toBe(2);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await held).toBe('cut off');
}, 20_000);

test('Stripe’s endpoint is that of the variable, and its objects are kept in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-sandbox-'));
  const stripeFile = join(folder, 'stripe.json');
  const endpoint = 'http://localhost:3999/api/webhooks/stripe';
  const child = start({ SANDBOX_STRIPE_ENDPOINT: endpoint, SANDBOX_STRIPE_FILE: stripeFile });
  const { origin, stripeApiUrl, stripeJsUrl, stripeSecretKey } = await ready(child);
  expect(await (await fetch(`${origin}/control/stripe`)).json()).toMatchObject({ endpoint });
  expect(await (await fetch(stripeJsUrl)).text()).toContain('window');
  await fetch(`${stripeApiUrl}/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeSecretKey}` },
    body: new URLSearchParams({ email: 'ann@example.test' }),
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readFileSync(stripeFile, 'utf8')).toContain('ann@example.test');
  rmSync(folder, { recursive: true });
}, 20_000);

test('it exits with its parent process', async () => {
  const child = start({}, true);
  await ready(child);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
}, 20_000);

test('a taken port and an invalid port are reported in a sentence', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  for (const [value, words] of [
    [String(port), 'EADDRINUSE'],
    ['many', 'SANDBOX_PORT must be a port'],
  ] as const) {
    const child = start({ SANDBOX_PORT: value });
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errors).toContain(words);
  }
  occupant.close();
}, 20_000);
