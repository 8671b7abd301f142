import { describe, expect, it } from 'vitest';
import { createApiTable, type ApiModule } from './api-table.server';

const named = (name: string): ApiModule => {
  const answer = async () => new Response(name);
  return { loader: answer, action: answer };
};
const list = named('list');
const one = named('one');
const admin = named('admin');
const toggle = named('toggle');
const find = createApiTable({
  news: list,
  'news/:id': one,
  'news/admin': admin,
  'news/admin/articles/:id/toggle-published': toggle,
  'openapi.json': named('openapi'),
});

describe('the table of the API', () => {
  it.each([
    ['news', list, {}],
    ['news/', list, {}],
    ['NEWS', list, {}],
    ['news/abc', one, { id: 'abc' }],
    ['news/a%2Fb%20c', one, { id: 'a/b c' }],
    ['news/admin', admin, {}],
    ['News/Admin/Articles/X1/Toggle-Published', toggle, { id: 'X1' }],
  ])('finds %s', (path, module, params) => {
    expect(find(path)).toEqual({ module, params });
  });

  it.each([
    '',
    'new',
    'news/a/b',
    'news//',
    'news/admin/articles//toggle-published',
    'openapiXjson',
    'news/%E0%A4%A',
  ])('finds nothing at %s', (path) => {
    expect(find(path)).toBeNull();
  });
});
