import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPublicWeb } from '#shared/network/public-web.server';
import { createVisitCookies } from '#shared/network/page/visit-page.server';
import { createPageFetcher, type FetchOutcome } from '../../../daemon/waiting-room/fetch/fetch-page';
import { judgeOutcome } from '../../../daemon/judging/judge-outcome';
import { closeServersAfterEach, HTML, PAGE, serve, serveRaw } from './local-server';

const web = createPublicWeb({ allowedPrivateHosts: ['www.shop.localhost'] });
const fetcher = createPageFetcher(web);
closeServersAfterEach();
afterAll(() => Promise.all([fetcher.close(), web.close()]));

const fetchFrom = (targetUrl: string): Promise<FetchOutcome> =>
  fetcher.fetch({ targetUrl, publicOnly: false, scrappey: null });

/** The cookies that a URL gets after another one set some. */
function cookiesAfter(from: string, setCookie: string[], to: string): string | null {
  const cookies = createVisitCookies();
  cookies.keep(new URL(from), setCookie);
  return cookies.cookiesFor(new URL(to));
}

test.each<[string[], string, string, string | null]>([
  [['a=1; Domain=shop.example'], 'https://shop.example/', 'https://www.shop.example/', 'a=1'],
  [['a=1; Domain=.shop.example'], 'https://www.shop.example/', 'https://shop.example/', 'a=1'],
  [['a=1'], 'https://shop.example/', 'https://www.shop.example/', null],
  [['a=1; Domain=other.example'], 'https://shop.example/', 'https://other.example/', null],
  [['a=1; Domain=co.uk'], 'https://shop.co.uk/', 'https://shop.co.uk/', null],
  [['a=1; Path=/uk'], 'https://shop.example/', 'https://shop.example/uk/x', 'a=1'],
  [['a=1; Path=/uk'], 'https://shop.example/', 'https://shop.example/ukx', null],
  [['a=1; Secure'], 'https://shop.example/', 'http://shop.example/', null],
  [['a=1; Secure'], 'https://shop.example/', 'https://shop.example/', 'a=1'],
  [['a=1'], 'http://shop.example/', 'https://shop.example/', 'a=1'],
  [['a=1', 'a=2'], 'https://shop.example/', 'https://shop.example/', 'a=2'],
  [['a=1', 'a=; Max-Age=0'], 'https://shop.example/', 'https://shop.example/', null],
  [['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'https://shop.example/', 'https://shop.example/', null],
  [
    ['a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    'https://a.example/',
    'https://a.example/',
    'a=1',
  ],
  [['a=1; SameSite=Strict; HttpOnly'], 'https://shop.example/', 'https://shop.example/', 'a=1'],
  [['a\u0001=1', 'b=\u0007', 'c=3'], 'https://shop.example/', 'https://shop.example/', 'c=3'],
  [[`a=${'x'.repeat(5000)}`, '__proto__=1'], 'https://shop.example/', 'https://shop.example/', '__proto__=1'],
  [['a=1'], 'http://[::1]:80/', 'http://[::1]:81/', null],
  [['a=1'], 'http://localhost:8080/', 'http://localhost:8081/', 'a=1'],
])('cookies %j of %s go to %s as a browser sends them', (setCookie, from, to, expected) => {
  expect(cookiesAfter(from, setCookie, to)).toBe(expected);
});

test('the newest 180 cookies are kept', () => {
  const many = Array.from({ length: 500 }, (_, index) => `c${index}=1`);
  const sent = (cookiesAfter('https://shop.example/', many, 'https://shop.example/') ?? '').split('; ');
  expect([sent.length, sent.at(0), sent.at(-1)]).toEqual([180, 'c320=1', 'c499=1']);
  const again = Array.from({ length: 500 }, (_, index) => `a=${index}`);
  expect(cookiesAfter('https://shop.example/', again, 'https://shop.example/')).toBe('a=499');
});

test('twenty redirects are followed, as by browsers', async () => {
  const url = await serve((request, response) => {
    const hop = Number(request.url?.slice(1));
    if (hop === 20) response.writeHead(200, HTML).end(PAGE);
    else response.writeHead(302, { location: `/${hop + 1}` }).end();
  });
  expect(await fetchFrom(`${url}/0`)).toMatchObject({ answer: { body: PAGE }, errorMessage: null });
});

test('a shop that sets a cookie for its whole domain and redirects to www is read', async () => {
  const shop: RequestListener = ({ headers }, response) => {
    const { host = '', cookie } = headers;
    if (cookie === 'visitor=1') response.writeHead(200, HTML).end(PAGE);
    else
      response
        .writeHead(302, {
          location: `http://www.${host}/`,
          'set-cookie': 'visitor=1; Domain=shop.localhost; Path=/',
        })
        .end();
  };
  const url = (await serve(shop)).replace('127.0.0.1', 'shop.localhost');
  const outcome = await fetchFrom(url);
  expect(outcome).toMatchObject({ answer: { status: 200, body: PAGE }, errorMessage: null });
  expect(outcome.answer.finalUrl).toMatch(/^http:\/\/www\.shop\.localhost:/);
});

test.each([
  ['/\u00d0\u00be\u00d1\u0087', '/%D0%BE%D1%87'],
  ['/caf\u00e9?q=\u00e9', '/caf%E9?q=%E9'],
  ['  /a b  ', '/a%20b'],
  ['\\a\\b', '/a/b'],
  ['next?x=1#top', '/deep/next?x=1'],
  ['../up', '/up'],
  ['?page=2', '/deep/?page=2'],
])('the redirect to %j is requested as %s', async (location, expected) => {
  const requested: string[] = [];
  const url = await serveRaw((head) => {
    const path = head.split(' ', 2)[1] ?? '';
    requested.push(path);
    if (path !== '/deep/') return `HTTP/1.1 200 OK\r\n\r\n${PAGE}`;
    return `HTTP/1.1 302 Found\r\nLocation:\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
  });
  expect((await fetchFrom(`${url}/deep/`)).answer.body).toBe(PAGE);
  expect(requested).toEqual(['/deep/', expected]);
});

test('a redirect with bytes above 127 goes out as it came', async () => {
  const file = readFileSync(resolve(import.meta.dirname, '../../fixtures/responses/M08-location-utf8.http'));
  const requested: (string | undefined)[] = [];
  await fetchFrom(
    await serveRaw((head) => {
      requested.push(head.split(' ', 2)[1]);
      return file;
    }),
  );
  expect(requested[1]).toBe('/%D0%BE%D1%87%D0%B5%D1%80%D0%B5%D0%B4%D1%8C');
});

test.each([
  ['javascript:alert(1)', 'The shop redirects to a javascript: address, which is not followed.'],
  ['data:text/html,x', 'The shop redirects to a data: address, which is not followed.'],
  ['http://', 'The shop redirects to an address that is invalid, which is not followed.'],
])('the redirect to %s is not followed, and the check says so', async (location, sentence) => {
  const url = await serve((_, response) => response.writeHead(302, { location }).end());
  expect(await fetchFrom(url)).toMatchObject({ answer: { status: 302 }, errorMessage: sentence });
});

/** Serves a page that may refresh to /next, and says what was fetched in the end. */
async function afterRefresh(
  page: string,
  headers: Record<string, string> = {},
): Promise<[string, string | null]> {
  const url = await serve((request, response) => {
    if (request.url === '/next') response.writeHead(200, HTML).end(PAGE);
    else response.writeHead(200, { ...HTML, ...headers }).end(page);
  });
  const { answer, errorMessage } = await fetchFrom(url);
  return [new URL(answer.finalUrl).pathname, errorMessage];
}

test('a page that is empty but for a refresh at once is a redirect', async () => {
  const element = '<html><head><meta http-equiv="refresh" content="0; url=/next"></head><body></body></html>';
  expect(await afterRefresh(element)).toEqual(['/next', null]);
  expect(await afterRefresh(element.replace('0;', '1;'))).toEqual(['/next', null]);
  expect(await afterRefresh('', { refresh: '0; url=/next' })).toEqual(['/next', null]);
  expect(
    await afterRefresh(element.replace('<body>', '<body>Redirecting to <a href="/next">/next</a>.')),
  ).toEqual(['/next', null]);
  for (const other of [
    element.replace('0;', '5;'),
    element.replace('url=/next', ''),
    element.replace('<body>', '<body><h1>You are in the queue</h1>'),
    element.replace('<body>', '<body><script src="/challenge.js"></script>'),
    element.replace('<body>', '<body><iframe src="/_Incapsula_Resource?x"></iframe>'),
    element.replace('/next', 'javascript:alert(1)'),
  ])
    expect(await afterRefresh(other)).toEqual(['/', null]);
});

test.each([
  ['an answer with an error status', 503, { refresh: '0; url=/next' }],
  ['a reload that sets a cookie', 200, { refresh: '0', 'set-cookie': 'seen=1' }],
  ['a header that is invalid', 200, { refresh: 'soon' }],
])('a refresh of %s is followed', async (_, status, headers) => {
  const url = await serve((request, response) => {
    if (request.url === '/next' || request.headers.cookie === 'seen=1')
      response.writeHead(200, HTML).end(PAGE);
    else
      response
        .writeHead(status, { ...HTML, ...headers })
        .end(headers.refresh === 'soon' ? '<meta http-equiv=refresh content="0;url=/next">' : '');
  });
  expect((await fetchFrom(url)).answer).toMatchObject({ status: 200, body: PAGE });
});

test('refreshes in a circle end at a page, and are counted among the redirects', async () => {
  const refreshTo = (path: string): string => `<meta http-equiv=refresh content="0;url=${path}">`;
  const circle = await serve((request, response) =>
    response.end(refreshTo(request.url === '/a' ? '/b' : '/a')),
  );
  expect(await fetchFrom(`${circle}/a`)).toMatchObject({ answer: { status: 200 }, errorMessage: null });
  const endless = await serve((request, response) => response.end(refreshTo(`${request.url}x`)));
  const outcome = await fetchFrom(`${endless}/x`);
  expect(outcome.errorMessage).toContain('more than 20 times');
  expect(outcome.answer.hops).toHaveLength(20);
});

test('a refresh to a waiting room that cannot be fetched is judged by the page that refreshes', async () => {
  const room = 'https://pokemon.queue-it.net/?c=pokemon&e=drop&t=https%3A%2F%2Fshop.example';
  const url = await serve((_, response) =>
    response
      .writeHead(200, HTML)
      .end(`<meta http-equiv="refresh" content="0;url=${room.replaceAll('&', '&amp;')}">`),
  );
  const offline = createPublicWeb({
    allowedPrivateHosts: [],
    resolve: () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })),
  });
  const cut = createPageFetcher(offline);
  const outcome = await cut.fetch({ targetUrl: url, publicOnly: false, scrappey: null });
  expect(outcome.errorMessage).toContain('pokemon.queue-it.net could not be fetched: its name is not known');
  expect(judgeOutcome(outcome)).toMatchObject({ verdict: 'waiting_room' });
  await Promise.all([cut.close(), offline.close()]);
});
