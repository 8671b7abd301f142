/*
 * A request handler for each public page, over its route alone. Remix finds the route of a path by trying every route of its
 * build, several times per request, and compiles each pattern again (@remix-run/router 1.23, `matchRoutes`); it also creates
 * the route objects of the whole build for each page. Measured on 22 November 2026, with shortened rounds of
 * `npm run bench -- pages` and one handler for all public pages: uncached pages 41 % faster (article 957 instead of 672
 * requests per second, beside 1941 of the minimal page).
 */
import type { ServerBuild } from '@remix-run/node';

/** The build with only one route and its parents. Throws for an unknown id. */
export function publicBuild(build: ServerBuild, routeId: string): ServerBuild {
  if (build.routes[routeId] === undefined) throw new Error(`the build has no route ${routeId}`);
  const kept = new Set<string>();
  for (let id: string | undefined = routeId; id !== undefined; id = build.routes[id]?.parentId) kept.add(id);
  const pick = <Entry>(routes: Record<string, Entry>): Record<string, Entry> =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}
