import { describe, expect, test } from 'vitest';
import { asNextPath, nextPathOf, withNext } from './paths';

describe('the destination of a sign-in', () => {
  test('is a path of this site with its query', () => {
    const address = withNext('/?auth=login', '/dashboard/articles?page=2');
    expect(address).toBe('/?auth=login&next=%2Fdashboard%2Farticles%3Fpage%3D2');
    expect(nextPathOf(new URL(address, 'https://packwatch.example').searchParams)).toBe(
      '/dashboard/articles?page=2',
    );
    expect(withNext('/login', null)).toBe('/login');
  });

  test.each([
    null,
    '',
    '/',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'dashboard',
    `/${'a'.repeat(501)}`,
  ])('is null for %j', (value) => expect(asNextPath(value)).toBeNull());
});
