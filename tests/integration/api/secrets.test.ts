import { createHash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serverContext } from '~/http/server/context.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { stripeVariables } from '../payments/payments-fixture';
import { giveTokens } from '../../paid-accounts';
import { callApi, createApiFixture, freshEmail, send, SITE, type ApiFixture } from './api-fixture';
import { readStored } from '../database-faults';

const canary = (what: string) => `canary-${what}-${randomBytes(8).toString('hex')}`;

const SESSION_SECRET = canary('session-secret');
const WEBHOOK_TOKEN = canary('webhook-token');
const PROXY_PASSWORD = canary('proxy-password');
const BOT_TOKEN = canary('bot-token');
let sandbox: Sandbox;
let fixture: ApiFixture;
let logged = '';

beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture({
    LOG_LEVEL: 'trace',
    SESSION_SECRET,
    ALLOWED_PRIVATE_HOSTS: sandbox.webhookHost,
    DISCORD_CLIENT_ID: sandbox.discordClientId,
    DISCORD_CLIENT_SECRET: sandbox.discordClientSecret,
    DISCORD_OAUTH_URL: sandbox.discordOauthUrl,
    DISCORD_API_URL: sandbox.discordApiUrl,
    DISCORD_CDN_URL: sandbox.discordCdnUrl,
    DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
    PROXY_POOL: `http://user:${PROXY_PASSWORD}@proxy.test:8000`,
    DISCORD_BOT_TOKEN: BOT_TOKEN,
    DISCORD_GUILD_ID: sandbox.discordGuildId,
    ...stripeVariables(sandbox),
  });
  const { log } = serverContext() as unknown as { log: Record<symbol, { write(line: string): void }> };
  const stream = log[pino.symbols.streamSym];
  if (stream === undefined) throw new Error('the logger writes nowhere');
  vi.spyOn(stream, 'write').mockImplementation((line) => {
    logged += line;
  });
});
afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
  vi.restoreAllMocks();
});

test('secrets appear in no other response and no log line, and in the database only hashed or sealed', async () => {
  const answers: string[] = [];
  const keep = async (...sent: Parameters<typeof callApi>) => {
    const answer = await callApi(...sent);
    answers.push(JSON.stringify(answer.body) + JSON.stringify([...answer.headers]));
    return answer;
  };

  const email = freshEmail();
  const password = canary('password');
  await keep('POST', '/api/auth/register', { body: { email, password } });
  const code = await fixture.codeFor(email);
  await keep('POST', '/api/auth/verify', { body: { email, code: code === '000000' ? '000001' : '000000' } });
  await keep('POST', '/api/auth/login', { body: { email, password } });
  const verified = await callApi('POST', '/api/auth/verify', { body: { email, code } });
  const token = String(verified.body.token);
  await keep('POST', '/api/auth/login', { body: { email, password: `${password}-wrong` } });
  await keep('POST', '/api/auth/login', { body: { email, password: [password] } });
  await keep('GET', '/api/auth/user', { token });
  await keep('GET', '/api/auth/sessions', { token });
  await keep('PUT', '/api/auth/user', { token, body: { profile: { username: 7 } } });

  const adminToken = await fixture.tokenOf('admin');
  const webhook_url = `http://${sandbox.webhookHost}/api/webhooks/1400000000000000101/${WEBHOOK_TOKEN}`;
  await keep('PUT', '/api/pokemon-center/webhook', { token: adminToken, body: { webhook_url } });
  const real = sandbox.webhookUrl('instant');
  await keep('PUT', '/api/pokemon-center/webhook', { token: adminToken, body: { webhook_url: real } });
  sandbox.discord.setFaults('instant', [{ kind: 'status', status: 404 }]);
  await keep('POST', '/api/pokemon-center/webhook/test', { token: adminToken, body: {} });
  await keep('GET', '/api/pokemon-center/settings', { token: adminToken });

  const away = await send('GET', '/api/auth/discord/login');
  const pressed = await fetch(away.headers.get('Location') ?? '', {
    method: 'POST',
    body: new URLSearchParams({ persona: 'free' }),
    redirect: 'manual',
  });
  const back = new URL(pressed.headers.get('Location') ?? '');
  sandbox.oauth.setFaults([{ at: 'user', kind: 'status', status: 500 }]);
  const cookies = away.headers.getSetCookie()[0]?.split(';', 1)[0];
  const failed = await send('GET', `/api/auth/discord/callback${back.search}`, { cookies });
  expect(failed.headers.get('Location')).toBe('/auth/discord/error?reason=server_error');
  answers.push(JSON.stringify([...failed.headers]));

  const pro = await fixture.account('pro');
  await giveTokens(fixture.db, pro.id, 2);
  const proToken = await fixture.signIn(pro);
  // The two answers that hold a secret, for its owner alone.
  const started = await callApi('POST', '/api/payments/create-payment-intent', {
    token: proToken,
    body: { packageId: 'tokens-50' },
  });
  const given = await callApi('GET', '/api/tokens/proxy-config?taskId=a', { token: proToken });
  expect(given.body.proxyConfig).toMatchObject({ password: PROXY_PASSWORD });
  await keep('POST', '/api/tokens/consume', { token: proToken, body: { taskId: 'a' } });
  await keep('GET', '/api/payments/transactions', { token: proToken });
  await keep('GET', '/api/tokens/usage', { token: proToken });
  const pushEndpoint = canary('endpoint');
  const { keys } = sandbox.push.subscribe();
  const browser = { endpoint: `${sandbox.origin}/push/v1/${pushEndpoint}`, keys };
  expect((await keep('POST', '/api/push/subscriptions', { token: proToken, body: browser })).status).toBe(
    201,
  );
  await keep('POST', '/api/push/subscriptions', {
    token: proToken,
    body: { ...browser, endpoint: `http://203.0.113.7/${pushEndpoint}` },
  });
  await keep('GET', '/api/push/subscriptions', { token: proToken });
  await keep('POST', '/api/push/test', { token: proToken });
  await sandbox.close();
  await keep('POST', '/api/payments/create-payment-intent', {
    token: proToken,
    body: { packageId: 'tokens-200' },
  });

  const secrets = {
    password,
    stripeKey: sandbox.stripeSecretKey,
    stripeWebhookSecret: sandbox.stripeWebhookSecret,
    paymentSecret: String(started.body.clientSecret),
    proxyPassword: PROXY_PASSWORD,
    token,
    adminToken,
    pushEndpoint,
    webhookToken: WEBHOOK_TOKEN,
    realWebhookToken: real.split('/').at(-1) ?? '',
    sessionSecret: SESSION_SECRET,
    clientSecret: sandbox.discordClientSecret,
    botToken: BOT_TOKEN,
    discordCode: back.searchParams.get('code') ?? '',
  };
  expect(logged).toContain('discord_failed');
  expect(logged).toContain('invalid_credentials');
  const allOutput = answers.join('\n');
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, allOutput.includes(secret)]).toEqual([name, false]);
    expect([name, logged.includes(secret)]).toEqual([name, false]);
  }
  expect(logged).not.toContain(email);
  expect(logged).not.toMatch(new RegExp(`\\b${code}\\b`));
  expect(allOutput).not.toContain(SITE.replace('https', 'http:'));

  const stored = await readStored(fixture.db);
  // An endpoint is stored as it is: push services refuse messages to it that are not signed with our private key.
  const { discordCode: _used, pushEndpoint: _stored, ...neverStored } = secrets;
  for (const [name, secret] of Object.entries(neverStored))
    expect([name, stored.includes(secret)]).toEqual([name, false]);
  expect(stored).toContain(createHash('sha256').update(token).digest('base64url'));
});
