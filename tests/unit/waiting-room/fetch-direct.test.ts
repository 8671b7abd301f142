import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createPublicWeb } from '#shared/network/public-web.server';
import {
  createPageFetcher,
  type FetchOutcome,
  type FetchRequest,
} from '../../../daemon/waiting-room/fetch/fetch-page';
import { closeServersAfterEach, HTML, PAGE, serve } from './local-server';

const web = createPublicWeb({ allowedPrivateHosts: [] });
const fetcher = createPageFetcher(web);
closeServersAfterEach();
afterAll(() => Promise.all([fetcher.close(), web.close()]));

function fetchFrom(targetUrl: string, more: Partial<FetchRequest> = {}): Promise<FetchOutcome> {
  return fetcher.fetch({ targetUrl, publicOnly: false, scrappey: null, ...more });
}

describe('fetching directly', () => {
  test('returns status, lower-case headers, text and duration', async () => {
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

  test('sends the headers of a browser in the United Kingdom', async () => {
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

  test('follows redirects, records them and returns cookies to the host that set them', async () => {
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

  test('does not send cookies to another host', async () => {
    let cookie: string | undefined = 'not requested';
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

  test('follows a redirect to the same address that only sets a cookie', async () => {
    const url = await serve((request, response) => {
      if (request.headers.cookie === undefined)
        response.writeHead(302, { location: '/', 'set-cookie': 'ok=1' }).end();
      else response.writeHead(200, HTML).end(PAGE);
    });
    expect((await fetchFrom(`${url}/`)).answer).toMatchObject({ status: 200, body: PAGE });
  });

  test('detects redirect loops and endless redirects', async () => {
    const circle = await serve((request, response) =>
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end(),
    );
    expect((await fetchFrom(`${circle}/a`)).errorMessage).toContain('circle');
    const endless = await serve((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );
    const outcome = await fetchFrom(`${endless}/x`);
    expect(outcome.errorMessage).toContain('more than 20 times');
    expect(outcome.answer).toMatchObject({ status: 302 });
    expect(outcome.answer.hops).toHaveLength(20);
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

  test('reports corrupt and unknown encodings as unreadable', async () => {
    const broken = await serve((_, response) =>
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end('no gzip at all'),
    );
    expect(await fetchFrom(broken)).toMatchObject({ answer: { status: 200, body: '', decodable: false } });
    const unknown = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
    );
    expect((await fetchFrom(unknown)).answer.decodable).toBe(false);
  });

  test('reports an empty body as empty, whatever its encoding', async () => {
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

  test('detects an image instead of a page', async () => {
    const url = await serve((_, response) => response.end(Buffer.from('89504e470d0a1a0a0000', 'hex')));
    expect((await fetchFrom(url)).answer).toMatchObject({ body: '', decodable: false });
  });

  test('truncates a huge page at the limit and reports it', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(3_000_000)));
    });
    const outcome = await fetchFrom(url, { maxBodyBytes: 1000 });
    expect(outcome.answer.body).toBe('a'.repeat(1000));
    expect(outcome.errorMessage).toContain('first 1000 bytes');
  });

  test('times out before and during the body', async () => {
    const silent = await serve(() => undefined);
    const outcome = await fetchFrom(silent, { timeoutMs: 60 });
    expect(outcome).toMatchObject({
      answer: { status: 0 },
      errorMessage: 'The shop did not answer within 0.06 seconds.',
    });
    expect(outcome.responseTimeMs).toBeGreaterThanOrEqual(55);
    const stuck = await serve((_, response) => response.writeHead(200, HTML).write('<html>'));
    // Long enough for the beginning to arrive on a busy machine.
    expect(await fetchFrom(stuck, { timeoutMs: 1_500 })).toMatchObject({
      answer: { status: 0 },
      errorMessage: "The shop's answer did not end within 1.5 seconds.",
    });
  });

  test('reports why a host cannot be reached', async () => {
    const reset = await serve((request) => request.socket.destroy());
    expect(await fetchFrom(reset)).toMatchObject({
      answer: { status: 0 },
      errorMessage: expect.stringContaining('cut the connection') as string,
    });
    expect((await fetchFrom('http://127.0.0.1:1/')).errorMessage).toMatch(/refused the connection/);
    expect((await fetchFrom('no address')).errorMessage).toMatch(/No address/);
  });

  test("rejects with the caller's reason when the caller aborts it", async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort(new Error('shutting down')));
    await expect(fetchFrom(url, { signal: stop.signal })).rejects.toThrow('shutting down');
    await expect(fetchFrom(url, { signal: stop.signal })).rejects.toThrow('shutting down');
  });
});

test("the operator's page may be private; where it redirects to on another host must be public", async () => {
  let reached = 0;
  const inside = await serve((_, response) => {
    reached += 1;
    response.end('internal');
  });
  const url = await serve((request, response) => {
    const location = request.url === '/' ? '/moved' : inside.replace('127.0.0.1', 'localhost');
    response.writeHead(302, { location }).end();
  });
  const outcome = await fetchFrom(url);
  expect(outcome.answer).toMatchObject({ status: 0, body: '' });
  expect(outcome.errorMessage).toContain('it is not on the public internet');
  expect([reached, outcome.answer.hops.length]).toEqual([0, 2]);
});

test('a watch that redirects to a private address is not followed, and its check says so', async () => {
  let reached = 0;
  const inside = await serve((_, response) => {
    reached += 1;
    response.end('internal');
  });
  const outside = await serve((_, response) => response.writeHead(302, { location: inside }).end());
  const open = createPublicWeb({ allowedPrivateHosts: [new URL(outside).host] });
  const guarded = createPageFetcher(open);
  for (const url of [outside, inside]) {
    const outcome = await guarded.fetch({ targetUrl: url, publicOnly: true, scrappey: null });
    expect(outcome.answer).toMatchObject({ status: 0, body: '', finalUrl: new URL(inside).href });
    expect(outcome.errorMessage).toBe(
      `${new URL(inside).host} could not be fetched: it is not on the public internet.`,
    );
  }
  expect(reached).toBe(0);
  await Promise.all([guarded.close(), open.close()]);
});
