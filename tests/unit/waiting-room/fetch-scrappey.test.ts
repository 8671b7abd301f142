import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { createPublicWeb } from '#shared/network/public-web.server';
import {
  createPageFetcher,
  type FetchOutcome,
  type FetchRequest,
} from '../../../daemon/waiting-room/fetch/fetch-page';
import { closeServersAfterEach, PAGE, serve } from './local-server';

const web = createPublicWeb({ allowedPrivateHosts: [] });
const fetcher = createPageFetcher(web);
closeServersAfterEach();
afterAll(() => Promise.all([fetcher.close(), web.close()]));

describe('fetching through Scrappey', () => {
  const KEY = 'secret/key+0123';
  const TARGET = 'https://www.pokemoncenter.com/en-gb';
  const solved = (solution: object): object => ({ data: 'success', session: 'session-1', solution });

  /** A service that gives these answers in order and records its requests. */
  async function service(...answers: Array<object | string | ((response: ServerResponse) => void)>): Promise<{
    fetch: (more?: Partial<FetchRequest>) => Promise<FetchOutcome>;
    requests: Array<{ url: string; body: Record<string, unknown> }>;
  }> {
    const requests: Array<{ url: string; body: Record<string, unknown> }> = [];
    const apiUrl = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const answer = answers[Math.min(requests.length, answers.length - 1)];
        requests.push({ url: request.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
        if (typeof answer === 'function') answer(response);
        else response.writeHead(200).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    });
    const scrappey = { apiKey: KEY, apiUrl: `${apiUrl}/api/v1` };
    return {
      fetch: (more = {}) => fetcher.fetch({ targetUrl: TARGET, publicOnly: false, scrappey, ...more }),
      requests,
    };
  }

  test('requests a browser in the United Kingdom with a timeout below its own', async () => {
    const { fetch, requests } = await service(
      solved({ response: PAGE, statusCode: 200, currentUrl: TARGET }),
    );
    await fetch({ timeoutMs: 10_000 });
    expect(requests[0]?.url).toBe(`/api/v1?key=${encodeURIComponent(KEY)}`);
    expect(requests[0]?.body).toEqual({
      cmd: 'request.get',
      url: TARGET,
      requestType: 'browser',
      proxyCountry: 'UnitedKingdom',
      timeout: 8000,
      listAllRedirects: true,
    });
  });

  test('reads cookie names from the cookie string without a list', async () => {
    const { fetch } = await service(
      solved({ response: PAGE, statusCode: 200, cookieString: 'akavpwr_drop=hush; bm_sv=2' }),
    );
    const { answer } = await fetch();
    expect(answer.headers['set-cookie']).toEqual([
      'akavpwr_drop=kept-by-the-browser',
      'bm_sv=kept-by-the-browser',
    ]);
  });

  test('returns the page, its address, headers, cookies and redirects', async () => {
    const { fetch } = await service({
      ...solved({
        verified: false,
        response: PAGE,
        statusCode: 202,
        currentUrl: `${TARGET}/x`,
        responseHeaders: { 'X-CDN': 'Imperva' },
        cookies: [
          { name: '__cfwaitingroom', value: 'hush' },
          { key: 'other', value: 'hush' },
        ],
        listAllRedirectsResponse: [
          TARGET,
          { url: `${TARGET}/a`, statusCode: 301, location: `${TARGET}/x` },
          7,
        ],
        ipInfo: { ip: '203.0.113.9', country: 'GB' },
      }),
      request_uuid: 'uuid-1',
    });
    const outcome = await fetch();
    expect(outcome).toMatchObject({
      scrappeyStatus: 'success',
      scrappeyRequestId: 'uuid-1',
      scrappeyCalls: 1,
      proxyUsed: '203.0.113.9 (GB)',
      errorMessage: null,
    });
    expect(outcome.answer).toMatchObject({
      requestUrl: TARGET,
      finalUrl: `${TARGET}/x`,
      status: 202,
      body: PAGE,
      unverified: true,
    });
    expect(outcome.answer.headers['x-cdn']).toBe('Imperva');
    expect(JSON.stringify(outcome.answer.headers)).toContain('__cfwaitingroom');
    expect(JSON.stringify(outcome.answer.headers)).not.toContain('hush');
    expect(outcome.answer.hops).toHaveLength(2);
  });

  test.each([
    ['an error of the service', { data: 'error', error: 'CODE-0006: bad response' }, 'error'],
    ['no page', { data: 'success', session: 's' }, 'other'],
    ['invalid JSON', '<html>gateway</html>', 'other'],
    ['an empty response', '', 'other'],
    ['a list', '[1]', 'other'],
  ] as const)('brings no page for %s', async (_, answer, status) => {
    const { fetch } = await service(answer);
    const outcome = await fetch();
    expect(outcome).toMatchObject({
      answer: { status: 0, body: '' },
      scrappeyStatus: status,
      scrappeyCalls: 1,
      backOffMs: null,
    });
    expect(outcome.errorMessage).not.toBeNull();
  });

  test.each(['0005', '0007', '0019', '0024', '0025', '0026'])(
    'retries once at once after code %s',
    async (code) => {
      const { fetch } = await service(
        { data: 'error', error: `CODE-${code}: x` },
        solved({ response: PAGE, statusCode: 200 }),
      );
      expect(await fetch()).toMatchObject({
        answer: { status: 200, body: PAGE },
        scrappeyStatus: 'success',
        scrappeyCalls: 2,
      });
    },
  );

  test('retries at most once', async () => {
    const { fetch, requests } = await service({ data: 'error', error: 'CODE-0007' });
    expect(await fetch()).toMatchObject({
      answer: { status: 0 },
      scrappeyStatus: 'error',
      scrappeyCalls: 2,
      backOffMs: null,
    });
    expect(requests).toHaveLength(2);
  });

  test.each(['0001', '0018', '0029'])(
    'does not call the service for a minute after code %s',
    async (code) => {
      const { fetch, requests } = await service({ data: 'error', error: '', info: `CODE-${code}` });
      expect((await fetch()).backOffMs).toBeGreaterThanOrEqual(60_000);
      expect(requests).toHaveLength(1);
    },
  );

  test('does not retry with a command or key that the service refuses', async () => {
    const wrong = await service({ data: 'error', error: 'CODE-0004: invalid cmd' });
    expect(await wrong.fetch()).toMatchObject({ scrappeyStatus: 'error', scrappeyCalls: 1 });
    const refused = await service((response) =>
      response.writeHead(403).end('{"data":"error","error":"CODE-0007"}'),
    );
    expect(await refused.fetch()).toMatchObject({ scrappeyStatus: 'error', scrappeyCalls: 1 });
  });

  test('reports a service that does not respond or closes the connection', async () => {
    const silent = await service(() => undefined);
    expect(await silent.fetch({ timeoutMs: 60 })).toMatchObject({
      scrappeyStatus: 'other',
      scrappeyCalls: 1,
      errorMessage: 'Scrappey did not answer within 0.06 seconds.',
    });
    const cut = await service((response) => response.destroy());
    expect(await cut.fetch()).toMatchObject({ answer: { status: 0 }, scrappeyStatus: 'other' });
  });

  test('never reveals the key, however it is echoed', async () => {
    const encoded = encodeURIComponent(KEY);
    const echoing = await service({
      ...solved({
        response: `<p>${KEY} ${encoded}</p>`,
        statusCode: 200,
        currentUrl: `https://www.pokemoncenter.com/?key=${encoded}`,
        responseHeaders: { 'x-echo': `k=${KEY}`, 'x-list': [encoded] },
        listAllRedirectsResponse: [
          { url: `https://a.example/?key=${encoded}`, location: KEY, headers: { l: KEY } },
        ],
        proxy: `http://user:${KEY}@proxy.example:8000`,
      }),
      request_uuid: KEY,
    });
    const failing = await service({ data: 'error', error: `bad key ${KEY}, /api/v1?key=${encoded}` });
    const refusing = await service((response) => response.destroy());
    for (const outcome of [await echoing.fetch(), await failing.fetch(), await refusing.fetch()]) {
      const text = JSON.stringify(outcome);
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(encoded);
    }
  });

  test('is not asked for a private page, and a page that it read from a private address is dropped', async () => {
    const inside = 'http://169.254.169.254/latest/meta-data';
    const { fetch, requests } = await service(
      solved({ response: PAGE, statusCode: 200, currentUrl: inside }),
    );
    const refused = await fetch({ targetUrl: inside, publicOnly: true });
    expect(refused).toMatchObject({ answer: { status: 0, body: '' }, scrappeyCalls: 0 });
    expect(refused.errorMessage).toContain('169.254.169.254 is not on the public internet');
    expect(requests).toEqual([]);

    // An address, so that the test looks up no name.
    const led = await fetch({ targetUrl: 'https://8.8.8.8/', publicOnly: true });
    expect(led).toMatchObject({ answer: { status: 0, body: '' }, scrappeyCalls: 1 });
    expect(led.errorMessage).toContain('The shop redirects: 169.254.169.254 is not on the public internet');
  });
});
