import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectRedis } from '#shared/queues/connection.server';
import { createRateLimits, type LimitUse } from '~/http/server/rate-limits.server';
import { serverContext } from '~/http/server/context.server';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { callApi, createApiFixture, freshAddress, freshEmail, send, type ApiFixture } from './api-fixture';
import { eventually } from '../monitor/monitor-fixture';

const folder = mkdtempSync(join(tmpdir(), 'packwatch-limits-'));
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
beforeAll(async () => {
  redis = await startPrivateRedis({ directory: folder });
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

let fixture: ApiFixture;
beforeEach(async () => {
  if (!(await redis.isUp())) await redis.start();
  fixture = await createApiFixture({ REDIS_URL: redis.url });
  await eventually(() => expect(serverContext().redis?.status).toBe('ready'));
  return () => fixture.cleanup();
});

const log = pino({ level: 'silent' });
const tryLogin = (email: string, from: string, password = 'wrong and long') =>
  callApi('POST', '/api/auth/login', { from, body: { email, password } });

describe('logging in', () => {
  test('is limited to ten attempts per account and client address, then answers 429 with Retry-After', async () => {
    const [email, from] = [freshEmail(), freshAddress()];
    for (let round = 0; round < 10; round += 1) expect((await tryLogin(email, from)).status).toBe(401);
    const refused = await tryLogin(email, from);
    expect(refused).toMatchObject({ status: 429, body: { success: false, code: 'rate_limited' } });
    const wait = Number(refused.headers.get('Retry-After'));
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);

    expect((await tryLogin(email.toUpperCase(), from)).status).toBe(429);
    expect((await tryLogin(freshEmail(), from)).status).toBe(401);
    expect((await tryLogin(email, freshAddress())).status).toBe(401);
  });

  test('with the right password does not count', async () => {
    const from = freshAddress();
    const email = freshEmail();
    const password = 'correct horse battery';
    await send('POST', '/api/auth/register', { body: { email, password } });
    await send('POST', '/api/auth/verify', { body: { email, code: await fixture.codeFor(email) } });
    for (let round = 0; round < 12; round += 1)
      expect((await tryLogin(email, from, password)).status).toBe(200);
  });
});

test('checks by an admin are limited per minute', async () => {
  const token = await fixture.tokenOf('admin');
  const statuses: number[] = [];
  for (let round = 0; round < 8; round += 1)
    statuses.push((await send('POST', '/api/pokemon-center/check', { token })).status);
  // 503, since no daemon runs in this test.
  expect(statuses).toEqual([...Array<number>(6).fill(503), 429, 429]);
});

test('calls that use Stripe are limited per minute, and the member’s other calls are answered', async () => {
  const token = await fixture.tokenOf('pro');
  const buy = () =>
    callApi('POST', '/api/payments/create-payment-intent', { token, body: { packageId: 'tokens-50' } });
  const statuses: number[] = [];
  for (let round = 0; round < 32; round += 1) statuses.push((await buy()).status);
  // 503, since this site has no Stripe.
  expect(statuses).toEqual([...Array<number>(30).fill(503), 429, 429]);
  expect((await callApi('GET', '/api/payments/balance', { token })).status).toBe(200);
});

test('consuming is limited per minute and member, far above what a desktop app does', async () => {
  const token = await fixture.tokenOf('pro');
  const consume = () => callApi('POST', '/api/tokens/consume', { token, body: { taskId: 'a' } });
  const statuses: number[] = [];
  // In parts: all at once would block a busy process for seconds, and Redis would count as offline.
  for (let part = 0; part < 121; part += 1)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 5 }, () => consume().then(({ status }) => status)))),
    );
  expect(statuses.filter((status) => status === 402)).toHaveLength(600);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  const other = await fixture.tokenOf('pro');
  expect((await callApi('POST', '/api/tokens/consume', { token: other, body: { taskId: 'a' } })).status).toBe(
    402,
  );
});

test('concurrent attempts share one count across processes', async () => {
  const processes = [redis.url, redis.url].map((url) => connectRedis(url, { role: 'producer' }));
  const limits = processes.map((connection) => createRateLimits({ redis: connection, prefix: 'two', log }));
  await eventually(() => expect(processes.map(({ status }) => status)).toEqual(['ready', 'ready']));
  const use: LimitUse = { limit: 'register', key: freshAddress() };
  const tries = await Promise.allSettled(
    Array.from({ length: 40 }, async (_, index) => limits[index % 2]?.take([use])),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (const connection of processes) connection.disconnect();
});

test('Redis stores no client address and no mail address', async () => {
  const [email, from] = [freshEmail(), freshAddress()];
  await tryLogin(email, from);
  const keys = (await serverContext().redis?.keys('*')) ?? [];
  expect(keys.filter((key) => key.includes(':limit:'))).not.toEqual([]);
  expect(keys.join('\n')).not.toContain(from);
  expect(keys.join('\n')).not.toContain(email);
});

test('while Redis is down each process counts alone, and calls are answered', async () => {
  await redis.kill();
  await eventually(() => expect(serverContext().redis?.status).not.toBe('ready'));
  const from = freshAddress();
  const email = freshEmail();
  for (let round = 0; round < 10; round += 1) expect((await tryLogin(email, from)).status).toBe(401);
  expect((await tryLogin(email, from)).status).toBe(429);
});
