import { createRequestHandler, type ServerBuild } from '@remix-run/node';

/**
 * The build with nothing but the named routes and those around them. Remix looks a path up by going through every route
 * of its build, several times per request, and compiles each one's pattern anew (@remix-run/router, `matchRoutes`): with
 * the whole site that costs more than a page of news itself.
 */
export function onlyRoutes(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const kept = new Set<string>();
  for (let id of ids) {
    if (build.routes[id] === undefined) throw new Error(`there is no route ${id}`);
    for (let next: string | undefined = id; next !== undefined; next = build.routes[id]?.parentId) {
      id = next;
      kept.add(next);
    }
  }
  const pick = <Entry>(routes: Record<string, Entry>): Record<string, Entry> =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}

/** Renders one of the named pages: a GET in, the page out. */
export type RenderPage = (request: Request) => Promise<Response>;

/** A handler for the pages of these routes alone. `loadBuild` gives the whole build, once it is complete. */
export function createPageRenderer(
  loadBuild: () => Promise<ServerBuild>,
  ids: readonly string[],
): RenderPage {
  let handler: ReturnType<typeof createRequestHandler> | null = null;
  return async (request) => {
    handler ??= createRequestHandler(onlyRoutes(await loadBuild(), ids), 'production');
    return handler(request);
  };
}
