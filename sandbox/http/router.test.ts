import { expect, test } from 'vitest';
import { findRoute, isFound, type Route } from './router';

const handle = () => undefined;
const routes: Route[] = [
  { method: 'GET', pattern: '/hooks/:id', handle },
  { method: 'PATCH', pattern: '/hooks/:id', handle },
  { method: 'GET', pattern: '/shop/*', handle },
];

function paramsOf(method: string, pathname: string) {
  const found = findRoute(routes, method, pathname);
  return isFound(found) ? found.params : found;
}

test('a named segment is handed over decoded', () => {
  expect(paramsOf('PATCH', '/hooks/a%20b')).toEqual({ id: 'a b' });
});

test('a star takes the rest of the path, none included', () => {
  expect(paramsOf('GET', '/shop/en-gb/cards')).toEqual({ rest: 'en-gb/cards' });
  expect(paramsOf('GET', '/shop')).toEqual({ rest: '' });
});

test('HEAD is answered by the route for GET', () => {
  expect(paramsOf('HEAD', '/hooks/1')).toEqual({ id: '1' });
});

test('a known path with a foreign method names the methods it has', () => {
  expect(paramsOf('DELETE', '/hooks/1')).toEqual({ allow: ['GET', 'PATCH'] });
});

test('an unknown, empty or undecodable segment is not found', () => {
  for (const pathname of ['/nowhere', '/hooks/', '/hooks/%zz', '/hooks/1/2']) {
    expect(paramsOf('GET', pathname)).toEqual({ allow: [] });
  }
});
