import { expect, test } from 'vitest';
import { addressWith, bannerRequestOf } from './banner-address';

test.each([
  ['', null],
  ['?cookies=settings', 'settings'],
  ['?page=2&cookies=later', 'later'],
  ['?cookies=other', null],
])('the query "%s" requests %s', (search, request) => {
  expect(bannerRequestOf(search)).toBe(request);
});

test('an address keeps its other parameters', () => {
  const news = { pathname: '/news', search: '?page=2' };
  expect(addressWith(news, 'settings')).toBe('/news?page=2&cookies=settings');
  expect(addressWith({ pathname: '/', search: '' }, 'later')).toBe('/?cookies=later');
  // The redirect after a saved choice: the banner must not open again.
  expect(addressWith({ pathname: '/news', search: '?page=2&cookies=settings' }, null)).toBe('/news?page=2');
  expect(addressWith({ pathname: '/', search: '?cookies=settings' }, null)).toBe('/');
});
