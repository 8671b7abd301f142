import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createPageFetcher, type FetchOutcome, type FetchRequest } from './fetch-page';

const fetcher = createPageFetcher();
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => fetcher.close());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fetchFrom(targetUrl: string, more: Partial<FetchRequest> = {}): Promise<FetchOutcome> {
  return fetcher.fetch({ targetUrl, scrappey: null, ...more });
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PAGE = '<html><body><h1>Pokémon Center</h1></body></html>';

describe('fetching directly', () => {
  test('brings status, headers in lower case, text and the time it took', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { ...HTML, 'X-Iinfo': '1-2' }).end(PAGE),
    );
    const outcome = await fetchFrom(url);
    expect(outcome.answer).toMatchObject({
      requestUrl: url,
      status: 200,
      body: PAGE,
      decodable: true,
      hops: [],
    });
    expect(outcome.answer.headers['x-iinfo']).toBe('1-2');
    expect(outcome).toMatchObject({
      scrappeyStatus: 'disabled',
      scrappeyCalls: 0,
      errorMessage: null,
      backOffMs: null,
    });
    expect(outcome.responseTimeMs).toBeGreaterThan(0);
  });

  test('looks like a browser in Britain', async () => {
    let seen: IncomingMessage['headers'] = {};
    const url = await serve((request, response) => {
      seen = request.headers;
      response.end(PAGE);
    });
    await fetchFrom(url);
    expect(seen['user-agent']).toMatch(/Windows NT 10\.0.*Chrome\/\d+/);
    expect(seen['accept-language']).toMatch(/^en-GB/);
    expect(seen['accept']).toContain('text/html');
  });

  test('follows redirects, records them and brings cookies back to the host that set them', async () => {
    let cookie: string | undefined;
    const url = await serve((request, response) => {
      if (request.url === '/')
        response.writeHead(302, { location: '/b', 'set-cookie': ['a=1; Path=/', 'b=2'] }).end();
      else if (request.url === '/b') response.writeHead(307, { location: `${url}/c` }).end();
      else {
        cookie = request.headers.cookie;
        response.writeHead(200, HTML).end(PAGE);
      }
    });
    const { answer } = await fetchFrom(`${url}/`);
    expect(answer.finalUrl).toBe(`${url}/c`);
    expect(answer.hops.map(({ url: from, status, location }) => [from, status, location])).toEqual([
      [`${url}/`, 302, `${url}/b`],
      [`${url}/b`, 307, `${url}/c`],
    ]);
    expect(cookie).toBe('a=1; b=2');
  });

  test('does not bring cookies to another host', async () => {
    let cookie: string | undefined = 'not asked';
    const other = await serve((request, response) => {
      cookie = request.headers.cookie;
      response.end(PAGE);
    });
    const url = await serve((_, response) =>
      response.writeHead(302, { location: other, 'set-cookie': 'a=1' }).end(),
    );
    await fetchFrom(url);
    expect(cookie).toBeUndefined();
  });

  test('passes a redirect to itself that only sets a cookie', async () => {
    const url = await serve((request, response) => {
      if (request.headers.cookie === undefined)
        response.writeHead(302, { location: '/', 'set-cookie': 'ok=1' }).end();
      else response.writeHead(200, HTML).end(PAGE);
    });
    expect((await fetchFrom(`${url}/`)).answer).toMatchObject({ status: 200, body: PAGE });
  });

  test('notices redirects in a circle and redirects without end', async () => {
    const circle = await serve((request, response) =>
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end(),
    );
    expect((await fetchFrom(`${circle}/a`)).errorMessage).toContain('circle');
    const endless = await serve((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );
    const outcome = await fetchFrom(`${endless}/x`);
    expect(outcome.errorMessage).toContain('more than 10 times');
    expect(outcome.answer).toMatchObject({ status: 302 });
    expect(outcome.answer.hops).toHaveLength(10);
  });

  test.each([
    ['gzip', gzipSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['deflate', deflateSync(PAGE)],
    ['deflate', deflateRawSync(PAGE)],
    ['gzip, br', brotliCompressSync(gzipSync(PAGE))],
  ])('reads %s', async (encoding, bytes) => {
    const url = await serve((_, response) =>
      response.writeHead(200, { ...HTML, 'content-encoding': encoding }).end(bytes),
    );
    expect((await fetchFrom(url)).answer).toMatchObject({ body: PAGE, decodable: true });
  });

  test('calls broken and unknown compressions unreadable', async () => {
    const broken = await serve((_, response) =>
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end('no gzip at all'),
    );
    expect(await fetchFrom(broken)).toMatchObject({ answer: { status: 200, body: '', decodable: false } });
    const unknown = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
    );
    expect((await fetchFrom(unknown)).answer.decodable).toBe(false);
  });

  test('calls an empty body empty, whatever its encoding', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(),
    );
    expect((await fetchFrom(url)).answer).toMatchObject({ body: '', decodable: true });
  });

  test.each([
    [
      'the header',
      { 'content-type': 'text/html; charset=iso-8859-1' },
      Buffer.from('Pokémon £', 'latin1'),
      'Pokémon £',
    ],
    [
      'the page',
      { 'content-type': 'text/html' },
      Buffer.from('<meta charset="windows-1252">Pokémon', 'latin1'),
      '<meta charset="windows-1252">Pokémon',
    ],
    [
      'the byte order mark',
      { 'content-type': 'text/html; charset=latin1' },
      Buffer.from('\ufeffPokémon'),
      'Pokémon',
    ],
    ['nothing, and is UTF-8', {}, Buffer.from('Pokémon'), 'Pokémon'],
    ['nothing, and is not UTF-8', {}, Buffer.from('Pokémon', 'latin1'), 'Pokémon'],
    ['a wide byte order mark', {}, Buffer.from('\ufeffPokémon', 'utf16le'), 'Pokémon'],
    ['an unknown name', { 'content-type': 'text/html; charset=klingon' }, Buffer.from('Pokémon'), 'Pokémon'],
    [
      'a Japanese name',
      { 'content-type': 'text/html; charset=Shift_JIS' },
      Buffer.from([0x83, 0x8c, 0x83, 0x57]),
      'レジ',
    ],
  ])('takes the charset from %s', async (_, headers, bytes, text) => {
    const url = await serve((_request, response) => response.writeHead(200, headers).end(bytes));
    expect((await fetchFrom(url)).answer).toMatchObject({ body: text, decodable: true });
  });

  test('notices a picture in place of a page', async () => {
    const url = await serve((_, response) => response.end(Buffer.from('89504e470d0a1a0a0000', 'hex')));
    expect((await fetchFrom(url)).answer).toMatchObject({ body: '', decodable: false });
  });

  test('reads a huge page up to the limit and says so', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(3_000_000)));
    });
    const outcome = await fetchFrom(url, { maxBodyBytes: 1000 });
    expect(outcome.answer.body).toBe('a'.repeat(1000));
    expect(outcome.errorMessage).toContain('first 1000 bytes');
  });

  test('gives up at its time-out, before and within the body', async () => {
    const silent = await serve(() => undefined);
    const outcome = await fetchFrom(silent, { timeoutMs: 60 });
    expect(outcome).toMatchObject({
      answer: { status: 0 },
      errorMessage: 'The shop did not answer within 0.06 seconds.',
    });
    expect(outcome.responseTimeMs).toBeGreaterThanOrEqual(55);
    const stuck = await serve((_, response) => response.writeHead(200, HTML).write('<html>'));
    expect((await fetchFrom(stuck, { timeoutMs: 60 })).answer.status).toBe(0);
  });

  test('says why a host cannot be reached', async () => {
    const reset = await serve((request) => request.socket.destroy());
    expect(await fetchFrom(reset)).toMatchObject({
      answer: { status: 0 },
      errorMessage: expect.stringContaining('cut the connection') as string,
    });
    expect((await fetchFrom('http://127.0.0.1:1/')).errorMessage).toMatch(/refused the connection/);
    expect((await fetchFrom('no address')).errorMessage).toMatch(/No address/);
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('<html>');
      setImmediate(() => response.destroy());
    });
    expect((await fetchFrom(cut)).answer.status).toBe(0);
  });

  test("rejects with the caller's reason when the caller stops it", async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort(new Error('shutting down')));
    await expect(fetchFrom(url, { signal: stop.signal })).rejects.toThrow('shutting down');
    await expect(fetchFrom(url, { signal: stop.signal })).rejects.toThrow('shutting down');
  });
});

describe('fetching through Scrappey', () => {
  const KEY = 'secret/key+0123';
  const TARGET = 'https://www.pokemoncenter.com/en-gb';
  const solved = (solution: object): object => ({ data: 'success', session: 'session-1', solution });

  /** A service that gives these answers one after the other, and remembers what it was asked. */
  async function service(...answers: Array<object | string | ((response: ServerResponse) => void)>): Promise<{
    fetch: (more?: Partial<FetchRequest>) => Promise<FetchOutcome>;
    asked: Array<{ url: string; body: Record<string, unknown> }>;
  }> {
    const asked: Array<{ url: string; body: Record<string, unknown> }> = [];
    const apiUrl = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const answer = answers[Math.min(asked.length, answers.length - 1)];
        asked.push({ url: request.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
        if (typeof answer === 'function') answer(response);
        else response.writeHead(200).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    });
    const scrappey = { apiKey: KEY, apiUrl: `${apiUrl}/api/v1` };
    return { fetch: (more = {}) => fetcher.fetch({ targetUrl: TARGET, scrappey, ...more }), asked };
  }

  test('asks for a browser in the United Kingdom with a time-out below its own', async () => {
    const { fetch, asked } = await service(solved({ response: PAGE, statusCode: 200, currentUrl: TARGET }));
    await fetch({ timeoutMs: 10_000 });
    expect(asked[0]?.url).toBe(`/api/v1?key=${encodeURIComponent(KEY)}`);
    expect(asked[0]?.body).toEqual({
      cmd: 'request.get',
      url: TARGET,
      requestType: 'browser',
      proxyCountry: 'UnitedKingdom',
      timeout: 8000,
      listAllRedirects: true,
    });
  });

  test('brings the page, its address, headers, cookies and redirects', async () => {
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
      doubted: true,
    });
    expect(outcome.answer.headers['x-cdn']).toBe('Imperva');
    expect(JSON.stringify(outcome.answer.headers)).toContain('__cfwaitingroom');
    expect(JSON.stringify(outcome.answer.headers)).not.toContain('hush');
    expect(outcome.answer.hops).toHaveLength(2);
  });

  test.each([
    ['an error of the service', { data: 'error', error: 'CODE-0006: bad response' }, 'error'],
    ['no page', { data: 'success', session: 's' }, 'other'],
    ['something that is no JSON', '<html>gateway</html>', 'other'],
    ['an empty answer', '', 'other'],
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
    'tries once more at once after code %s',
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

  test('tries once more, not more often', async () => {
    const { fetch, asked } = await service({ data: 'error', error: 'CODE-0007' });
    expect(await fetch()).toMatchObject({
      answer: { status: 0 },
      scrappeyStatus: 'error',
      scrappeyCalls: 2,
      backOffMs: null,
    });
    expect(asked).toHaveLength(2);
  });

  test.each(['0001', '0018', '0029'])('leaves the service alone for a minute after code %s', async (code) => {
    const { fetch, asked } = await service({ data: 'error', error: '', info: `CODE-${code}` });
    expect((await fetch()).backOffMs).toBeGreaterThanOrEqual(60_000);
    expect(asked).toHaveLength(1);
  });

  test('does not try again with a command or key that the service refuses', async () => {
    const wrong = await service({ data: 'error', error: 'CODE-0004: invalid cmd' });
    expect(await wrong.fetch()).toMatchObject({ scrappeyStatus: 'error', scrappeyCalls: 1 });
    const refused = await service((response) =>
      response.writeHead(403).end('{"data":"error","error":"CODE-0007"}'),
    );
    expect(await refused.fetch()).toMatchObject({ scrappeyStatus: 'error', scrappeyCalls: 1 });
  });

  test('says so when the service does not answer or cuts the connection', async () => {
    const silent = await service(() => undefined);
    expect(await silent.fetch({ timeoutMs: 60 })).toMatchObject({
      scrappeyStatus: 'other',
      scrappeyCalls: 1,
      errorMessage: 'Scrappey did not answer within 0.06 seconds.',
    });
    const cut = await service((response) => response.destroy());
    expect(await cut.fetch()).toMatchObject({ answer: { status: 0 }, scrappeyStatus: 'other' });
  });

  test('never lets the key out, however it is echoed', async () => {
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
});
