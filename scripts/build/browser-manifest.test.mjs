import { expect, test } from 'vitest';
import { entryOf, shrinkManifest } from './browser-manifest.mjs';

const route = (id, path, more = {}) => ({
  id,
  parentId: 'root',
  path,
  hasLoader: true,
  hasAction: false,
  module: `/assets/${id}.js`,
  imports: ['/assets/site.js'],
  css: [],
  ...more,
});
const script = (routes) =>
  `window.__remixManifest=${JSON.stringify({ entry: { module: '/assets/entry.js' }, routes, url: '/assets/manifest.js' })};`;

test('the browser manifest has the routes for navigation, without false and empty values', () => {
  const routes = {
    news: route('news', 'news'),
    'news/feed': route('news/feed', 'news/feed.xml'),
    api: route('api', 'api/*'),
    layout: route('layout', undefined, { css: ['/assets/editor.css'] }),
  };
  const shrunk = shrinkManifest(script(routes));
  expect(JSON.parse(shrunk.slice('window.__remixManifest='.length, -1))).toEqual({
    entry: { module: '/assets/entry.js' },
    routes: {
      news: { id: 'news', parentId: 'root', path: 'news', hasLoader: true, module: '/assets/news.js' },
      layout: {
        id: 'layout',
        parentId: 'root',
        hasLoader: true,
        module: '/assets/layout.js',
        css: ['/assets/editor.css'],
      },
    },
    url: '/assets/manifest.js',
  });
  expect(entryOf(shrunk)).toBe('entry.js');
  expect(() => shrinkManifest('export default {}')).toThrow('unknown form');
});
