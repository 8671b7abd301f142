import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '#shared/config.server';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import { readSubscriptionPage } from '~/routes/dashboard/subscription.server';
import { startDaemon, type Daemon } from '../../../daemon/daemon';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { callApi, createApiFixture, send, SITE, type ApiFixture } from '../api/api-fixture';
import { eventually } from '../monitor/monitor-fixture';
import { CARDS, confirmCard, stripeVariables } from './payments-fixture';
import { giveTokens } from '../../paid-accounts';
import { readStored } from '../database-faults';

const canary = (what: string) => `canary-${what}-${randomBytes(8).toString('hex')}`;

const PROXY_PASSWORD = canary('proxy-password');
let folder: string;
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let sandbox: Sandbox;
let fixture: ApiFixture;
let daemon: Daemon;
let logged = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-secrets-'));
  redis = await startPrivateRedis({ directory: folder });
  sandbox = await startSandbox();
  fixture = await createApiFixture({
    LOG_LEVEL: 'trace',
    REDIS_URL: redis.url,
    SMTP_URL: sandbox.smtpUrl,
    ...stripeVariables(sandbox),
    PROXY_POOL: `http://packwatch:${PROXY_PASSWORD}@proxy.example:8080`,
  });
  const write = (line: string) => void (logged += line);
  const { log, config } = serverContext() as unknown as ReturnType<typeof serverContext> & {
    log: Record<symbol, { write(line: string): void }>;
  };
  const stream = log[pino.symbols.streamSym];
  if (stream === undefined) throw new Error('the logger writes nowhere');
  vi.spyOn(stream, 'write').mockImplementation(write);
  daemon = await startDaemon({
    config: { ...config, redisUrl: redis.url, daemon: { ...config.daemon, port: 0 } },
    logger: pino({ level: 'trace' }, { write }),
  });
});
afterAll(async () => {
  await daemon.stop();
  await fixture.cleanup();
  await sandbox.close();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

/** Sends every event of the sandbox's Stripe to the webhook, signed with this secret. Returns the statuses. */
async function deliverEvents(secret: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const event of sandbox.stripe.events()) {
    const payload = JSON.stringify(event);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
    const answer = await send('POST', '/api/webhooks/stripe', {
      bytes: Buffer.from(payload),
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
    });
    statuses.push(answer.status);
  }
  return statuses;
}

const pageOf = (token: string, query = '') =>
  readSubscriptionPage(
    new Request(`${SITE}/dashboard/subscription${query}`, {
      headers: { Cookie: `${SESSION_COOKIE}=${token}` },
    }),
  );

const readAll = (directory: string): string =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('secrets of payments and proxies appear where they are meant to, and in no other answer, log line, job or row', async () => {
  const answers: string[] = [];
  const keep = async (...sent: Parameters<typeof callApi>) => {
    const answer = await callApi(...sent);
    answers.push(JSON.stringify(answer.body) + JSON.stringify([...answer.headers]));
    return answer;
  };
  const [buyer, other, pro] = await Promise.all([
    fixture.tokenOf('beta'),
    fixture.tokenOf('beta'),
    fixture.account('pro'),
  ]);
  const order = { token: buyer, body: { packageId: 'tokens-50' } };
  const start = '/api/payments/create-payment-intent';

  sandbox.stripe.setFaults([{ kind: 'status', status: 500, persistent: true }]);
  expect((await keep('POST', start, order)).status).toBe(502);
  sandbox.stripe.setFaults([]);
  const started = await callApi('POST', start, order);
  const clientSecret = String(started.body.clientSecret);
  expect(clientSecret).toMatch(/^pi_\w+_secret_\w+$/);
  const othersStart = await callApi('POST', start, { ...order, token: other });
  expect(JSON.stringify(othersStart.body)).not.toContain(clientSecret);
  const othersSecret = String(othersStart.body.clientSecret);

  const [paymentId = ''] = clientSecret.split('_secret_');
  expect((await confirmCard(sandbox, clientSecret, CARDS.succeeds)).error).toBeNull();
  expect(new Set(await deliverEvents('whsec_forged'))).toEqual(new Set([400]));
  expect(new Set(await deliverEvents(sandbox.stripeWebhookSecret))).toEqual(new Set([200]));
  await eventually(async () =>
    expect((await keep('GET', '/api/payments/balance', { token: buyer })).body.balance).toBe(50),
  );
  await eventually(() =>
    expect(sandbox.mails.list().map(({ subject }) => subject)).toEqual(['Your receipt: 50 tokens for £4.99']),
  );

  for (const token of [buyer, other]) {
    for (const path of [
      'payments/transactions',
      'payments/packages',
      'subscriptions',
      'subscriptions/packages',
    ])
      await keep('GET', `/api/${path}`, { token });
    for (const query of ['', '?tab=tokens']) answers.push(JSON.stringify(await pageOf(token, query)));
  }

  await giveTokens(fixture.db, pro.id, 10);
  const proToken = await fixture.signIn(pro);
  const issued = await callApi('GET', '/api/tokens/proxy-config?taskId=task-1', { token: proToken });
  expect(issued.body.proxyConfig).toMatchObject({ password: PROXY_PASSWORD });
  await keep('POST', '/api/tokens/consume', { token: proToken, body: { taskId: 'task-1' } });
  await keep('GET', '/api/tokens/usage', { token: proToken });
  await keep('GET', '/api/tokens/proxy-config', { token: proToken });

  const places = {
    answers: answers.join('\n'),
    log: logged,
    jobs: readAll(join(folder, 'redis')),
    database: await readStored(fixture.db),
    mails: JSON.stringify(sandbox.mails.list()),
  };
  // The search would find a secret in each of them.
  expect(places.answers).toContain('"balance":50');
  expect(places.log).toContain('payment');
  expect(places.jobs).toContain('attempt');
  expect(places.database).toContain(paymentId);
  const secrets = {
    secretKey: sandbox.stripeSecretKey,
    webhookSecret: sandbox.stripeWebhookSecret,
    clientSecret,
    othersSecret,
    proxyPassword: PROXY_PASSWORD,
    card: CARDS.succeeds,
  };
  const found = Object.entries(secrets).flatMap(([secret, text]) =>
    Object.entries(places).flatMap(([place, content]) =>
      content.includes(text) ? [`${secret} in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

test('an invalid variable is named without its value', () => {
  const secret = canary('misplaced');
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'PROXY_POOL']) {
    const read = () => readConfig({ NODE_ENV: 'test', [name]: secret });
    expect(read).toThrow(new RegExp(`^[^]*${name}`));
    expect(read).not.toThrow(secret);
  }
});
