import { expect, test } from 'vitest';
import { newsPath } from '~/components/site/site-links';
import { pageNumbers } from './pagination';

test.each([
  [1, 1, '1'],
  [1, 2, '1 2'],
  [2, 2, '1 2'],
  [3, 5, '1 2 3 4 5'],
  [5, 5, '1 2 3 4 5'],
  [1, 6, '1 2 3 4 5 … 6'],
  [3, 6, '1 2 3 4 5 … 6'],
  [4, 6, '2 3 4 5 6'],
  [6, 6, '2 3 4 5 6'],
  [1, 7, '1 2 3 4 5 … 7'],
  [4, 7, '2 3 4 5 6 … 7'],
  [5, 7, '3 4 5 6 7'],
  [50, 100, '48 49 50 51 52 … 100'],
  [99, 100, '96 97 98 99 100'],
])('page %i of %i links to %s', (page, totalPages, expected) => {
  const { numbers, last } = pageNumbers({ page, totalPages });
  expect([numbers.join(' '), ...(last === null ? [] : [last])].join(' … ')).toBe(expected);
  expect(numbers).toContain(page);
});

test('the first page has one address', () => {
  expect([newsPath(1), newsPath(2)]).toEqual(['/news', '/news?page=2']);
});
