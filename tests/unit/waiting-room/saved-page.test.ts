import { expect, test } from 'vitest';
import { answerFromFile } from '../../../daemon/waiting-room/fetch/saved-page';
import { judgePage } from '../../../daemon/waiting-room/judge-page';

test('a saved page has status 200 and no headers by default', () => {
  expect(answerFromFile({ page: '<p>hello</p>' })).toMatchObject({
    status: 200,
    headers: {},
    hops: [],
    decodable: true,
  });
});

test.each([
  ['an object', '{"Content-Type":"text/html","Set-Cookie":["a=1","b=2"]}'],
  ['pairs', '[["Content-Type","text/html"],["Set-Cookie","a=1"],["set-cookie","b=2"]]'],
  ['raw lines', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n'],
])('headers are read as %s', (_, headersText) => {
  const { headers } = answerFromFile({ page: '', headersText });
  expect(headers).toEqual({ 'content-type': 'text/html', 'set-cookie': ['a=1', 'b=2'] });
});

test('the status is that of the option, else that of the status line', () => {
  const headersText = 'HTTP/2 429\nretry-after: 60';
  expect(answerFromFile({ page: '', headersText }).status).toBe(429);
  expect(answerFromFile({ page: '', headersText, status: 503 }).status).toBe(503);
});

test('bytes are decoded by the charset of the headers', () => {
  const page = Buffer.from('Pokémon', 'latin1');
  expect(answerFromFile({ page, headersText: 'content-type: text/html; charset=iso-8859-1' }).body).toBe(
    'Pokémon',
  );
  expect(answerFromFile({ page: Buffer.from('89504e470d0a', 'hex') }).decodable).toBe(false);
});

test('a shop saved without its address is judged as a shop', () => {
  const tile =
    '<a href="https://www.shop.example/p/1">Box</a> £4.99 <a href="/p/2">Tin</a> £9.99 <button>Add to cart</button>';
  expect(judgePage(answerFromFile({ page: `<html><body>${tile}</body></html>` })).verdict).toBe('open');
});
