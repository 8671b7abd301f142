import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import { SCRAPPEY_CODES, type ScrappeyCode } from './scrappey-fault';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

interface CallResult {
  data: string;
  error?: string;
  session: string;
  request_uuid: string;
  timeElapsed: number;
  solution: Record<string, unknown>;
}

function call(command: object = {}, key = sandbox.scrappeyKey, signal?: AbortSignal) {
  return fetch(`${sandbox.scrappeyUrl}?key=${key}`, {
    method: 'POST',
    body: JSON.stringify({ cmd: 'request.get', url: sandbox.shopUrl, ...command }),
    signal,
  });
}

async function resultOf(command: object = {}): Promise<CallResult> {
  return (await (await call(command)).json()) as CallResult;
}

test('request.get fetches the page and returns its address', async () => {
  const { data, solution, session, request_uuid, timeElapsed } = await resultOf();
  expect(data).toBe('success');
  expect(solution).toMatchObject({
    verified: true,
    statusCode: 200,
    currentUrl: sandbox.shopUrl,
    type: 'browser',
  });
  expect(solution.response).toContain('Add to basket');
  expect(solution.responseHeaders).toMatchObject({ 'x-cdn': 'Imperva' });
  expect(solution.cookies).toContainEqual(
    expect.objectContaining({ name: 'visid_incap_2714310', value: 'sandbox' }),
  );
  expect(solution.ipInfo).toHaveProperty('country');
  expect([session, request_uuid].every((id) => id.length === 36)).toBe(true);
  expect(timeElapsed).toBeGreaterThanOrEqual(0);
  expect(sandbox.shop.requests()).toHaveLength(1);
});

test('redirects are followed and listed on request', async () => {
  sandbox.shop.show('queueit-room');
  const { solution } = await resultOf({ listAllRedirects: true });
  const visited = solution.listAllRedirectsResponse as string[];
  expect(visited).toHaveLength(2);
  expect(visited[0]).toBe(sandbox.shopUrl);
  expect(solution.currentUrl).toBe(visited[1]);
  expect((await resultOf()).solution).not.toHaveProperty('listAllRedirectsResponse');
});

test('the page’s status and headers are passed through', async () => {
  sandbox.shop.show('error');
  expect((await resultOf()).solution).toMatchObject({ verified: true, statusCode: 503 });
});

test('a wrong key is a 401 and fetches nothing', async () => {
  expect((await call({}, 'another-key')).status).toBe(401);
  expect(sandbox.shop.requests()).toEqual([]);
});

test.each(Object.keys(SCRAPPEY_CODES) as ScrappeyCode[])('error %s has HTTP status 200', async (code) => {
  sandbox.scrappey.setFaults([{ kind: 'code', code }]);
  const response = await call();
  expect(response.status).toBe(200);
  const { data, error, solution } = (await response.json()) as CallResult;
  expect([data, solution.verified]).toEqual(['error', false]);
  expect(error).toContain(`CODE-${code}`);
  expect((await resultOf()).data).toBe('success');
});

test('an unknown command and an invalid address have their own errors', async () => {
  expect((await resultOf({ cmd: 'request.dance' })).error).toContain('CODE-0004');
  expect((await resultOf({ url: 'file:///etc/passwd' })).error).toContain('CODE-0031');
  expect((await resultOf({ url: undefined })).error).toContain('CODE-0031');
});

test('an unreachable or slow page is a request error', async () => {
  sandbox.shop.show('reset');
  expect((await resultOf()).error).toContain('CODE-0031');
  sandbox.shop.show('slow');
  expect((await resultOf({ timeout: 30 })).error).toContain('CODE-0031');
});

test('a result can be marked as unverified', async () => {
  sandbox.scrappey.setFaults([{ kind: 'unverified' }]);
  expect(await resultOf()).toMatchObject({ data: 'success', solution: { verified: false, statusCode: 200 } });
});

test('a response can be invalid JSON, a 500, or late', async () => {
  sandbox.scrappey.setFaults([
    { kind: 'garbage' },
    { kind: 'status', status: 500 },
    { kind: 'delay', ms: 60 },
  ]);
  const garbage = await call();
  expect([garbage.status, await garbage.text()]).toEqual([200, expect.stringContaining('<html>')]);
  expect((await call()).status).toBe(500);
  const started = performance.now();
  expect((await resultOf()).timeElapsed).toBeGreaterThan(55);
  expect(performance.now() - started).toBeGreaterThan(55);
});

test('a call can stay without a response', async () => {
  sandbox.scrappey.setFaults([{ kind: 'hang' }]);
  const patience = new AbortController();
  const response = call({}, sandbox.scrappeyKey, patience.signal);
  await expect.poll(() => sandbox.scrappey.requests().length).toBe(1);
  patience.abort();
  await expect(response).rejects.toThrow();
  expect(sandbox.scrappey.requests()[0]).toMatchObject({ status: null, data: null });
});
