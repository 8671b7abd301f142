import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import type { WebhookFault } from './webhook';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

function post(signal?: AbortSignal, audience: 'instant' | 'free' = 'instant') {
  return fetch(`${sandbox.webhookUrl(audience)}?wait=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"content":"open"}',
    signal,
  });
}

const faults = (...list: WebhookFault[]) => sandbox.discord.setFaults('instant', list);
const kept = () => sandbox.discord.messages('instant').length;

test.each([
  [400, 50035],
  [401, 50027],
  [403, 50013],
  [404, 10015],
  [500, 0],
])('status %i has code %i, stores nothing, and ends after its count', async (status, code) => {
  faults({ kind: 'status', status, count: 2 });
  const answers = [await post(), await post(), await post()];
  expect(answers.map((answer) => answer.status)).toEqual([status, status, 200]);
  expect(await answers[0]?.json()).toMatchObject({ code });
  expect(kept()).toBe(1);
});

test('a gateway fault responds with HTML, as the proxy of Discord does', async () => {
  faults({ kind: 'status', status: 502 });
  const response = await post();
  expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
});

test('a 429 has its wait in the body and in the headers', async () => {
  faults({ kind: 'status', status: 429, retryAfter: 2.5 });
  const response = await post();
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({
    message: 'You are being rate limited.',
    retry_after: 2.5,
    global: false,
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'retry-after': '3',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset-after': '2.500',
    'x-ratelimit-scope': 'user',
  });
});

test('a request during the wait gets a 429 for the rest of it, and other webhooks do not', async () => {
  faults({ kind: 'status', status: 429, retryAfter: 60 });
  await post();
  const again = await post();
  expect(again.status).toBe(429);
  const { retry_after } = (await again.json()) as { retry_after: number };
  expect(retry_after).toBeGreaterThan(50);
  // In whole milliseconds, so the wait may be unchanged.
  expect(retry_after).toBeLessThanOrEqual(60);
  expect((await post(undefined, 'free')).status).toBe(200);
});

test('after the wait the webhook accepts again', async () => {
  faults({ kind: 'status', status: 429, retryAfter: 0.05 });
  const limited = await post();
  const { retry_after } = (await limited.json()) as { retry_after: number };
  const until = performance.now() + retry_after * 1_000;
  await expect.poll(async () => (performance.now() >= until ? (await post()).status : 0)).toBe(200);
});

test('a global limit applies to every webhook', async () => {
  faults({ kind: 'status', status: 429, retryAfter: 60, global: true });
  const response = await post();
  expect(response.headers.get('x-ratelimit-global')).toBe('true');
  expect(response.headers.get('x-ratelimit-scope')).toBe('global');
  expect(response.headers.get('x-ratelimit-bucket')).toBeNull();
  expect((await post(undefined, 'free')).status).toBe(429);
});

test('a shared limit has its scope', async () => {
  faults({ kind: 'status', status: 429, scope: 'shared' });
  expect((await post()).headers.get('x-ratelimit-scope')).toBe('shared');
});

test('clearing the faults lifts the limit too', async () => {
  faults({ kind: 'status', status: 429, retryAfter: 60, global: true });
  await post();
  faults();
  expect((await post()).status).toBe(200);
});

test('a message with a delayed response is stored on arrival', async () => {
  faults({ kind: 'delay', ms: 80 });
  const response = await post();
  expect(response.status).toBe(200);
  const [request] = sandbox.discord.requests('instant');
  const [message] = sandbox.discord.messages('instant');
  expect(message?.receivedAt).toBe(request?.receivedAt);
  expect((request?.answeredAt ?? 0) - (request?.receivedAt ?? 0)).toBeGreaterThan(75);
});

test.each([
  [false, 0],
  [true, 1],
])('a hanging request with accept %s stores %i messages and gets no response', async (accept, messages) => {
  faults({ kind: 'hang', accept });
  const patience = new AbortController();
  const answer = post(patience.signal);
  await expect.poll(() => sandbox.discord.requests('instant')[0]?.outcome).toBe('hung');
  patience.abort();
  await expect(answer).rejects.toThrow();
  expect(kept()).toBe(messages);
  expect((await post()).status).toBe(200);
});

test.each([
  [false, 0],
  [true, 1],
])('a reset connection with accept %s stores %i messages', async (accept, messages) => {
  faults({ kind: 'reset', accept });
  await expect(post()).rejects.toThrow();
  expect(kept()).toBe(messages);
  expect(sandbox.discord.requests('instant')[0]).toMatchObject({ outcome: 'dropped', status: null });
});

test('a persistent fault stays until it is cleared', async () => {
  faults({ kind: 'status', status: 500, persistent: true });
  expect([(await post()).status, (await post()).status]).toEqual([500, 500]);
  faults();
  expect((await post()).status).toBe(200);
});

test('a GET of the webhook uses no fault up, unless the fault is for GET', async () => {
  faults({ kind: 'status', status: 500 });
  expect((await fetch(sandbox.webhookUrl('instant'))).status).toBe(200);
  expect((await post()).status).toBe(500);
  faults({ kind: 'status', status: 404, on: ['GET'] });
  expect((await post()).status).toBe(200);
  expect((await fetch(sandbox.webhookUrl('instant'))).status).toBe(404);
});

test('faults for a webhook that does not exist are refused', () => {
  expect(() => sandbox.discord.setFaults('nobody', [])).toThrow('nobody');
});
