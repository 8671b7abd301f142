import type { ComponentType } from 'react';
import { loadRouteScript, routeIdsOf } from './preload-page';
import { openOnce } from './reload-once';

type DataRoute = (typeof window.__remixRouter.routes)[number];
type LazyRoute = Awaited<ReturnType<NonNullable<DataRoute['lazy']>>>;

const never = new Promise<never>(() => undefined);

function listRoutes(routes: readonly DataRoute[]): DataRoute[] {
  return routes.flatMap((route) => [route, ...listRoutes(route.children ?? [])]);
}

/** The address that the browser navigates to, if this route is part of its page; else null. */
function targetWith(routeId: string): string | null {
  const { location } = window.__remixRouter.state.navigation;
  if (location === undefined || !routeIdsOf(location).includes(routeId)) return null;
  return location.pathname + location.search + location.hash;
}

/**
 * Guards the loading of route modules during navigations. When one does not load, Remix reloads the page that the user
 * leaves, at every attempt (@remix-run/react 2.17, routeModules.js). Here the address that the user goes to is opened as a
 * document, at most once in a minute; after that the missing component takes the place of the page. `MissingPage`: of a
 * whole page. `MissingPart`: within the frame of a page. Replaces `lazy` of the routes of Remix's router.
 */
export function guardRouteModules(MissingPage: ComponentType, MissingPart: ComponentType): void {
  for (const route of listRoutes(window.__remixRouter.routes)) {
    const { id, lazy } = route;
    if (lazy === undefined) continue;
    route.lazy = async () => {
      try {
        await loadRouteScript(id);
      } catch {
        const target = targetWith(id);
        // A newer navigation has replaced the one that needed the module.
        if (target === null || openOnce(id, target)) return never;
        const isPage = window.__remixManifest.routes[id]?.parentId === 'root';
        // The router's type knows no components: React Router adds them (`mapRouteProperties`).
        return { Component: isPage ? MissingPage : MissingPart } as unknown as LazyRoute;
      }
      return lazy();
    };
  }
}
