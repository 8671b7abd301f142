import type { ComponentType } from 'react';
import { loadRouteScript, routeIdsOf } from './preload-page';
import { openOnce } from './reload-once';

type DataRoute = (typeof window.__remixRouter.routes)[number];
type LazyRoute = Awaited<ReturnType<NonNullable<DataRoute['lazy']>>>;

const never = new Promise<never>(() => undefined);

function listRoutes(routes: readonly DataRoute[]): DataRoute[] {
  return routes.flatMap((route) => [route, ...listRoutes(route.children ?? [])]);
}

/** The key of the navigation whose address is opened as a document: a form response requests its modules again. */
let opening: string | null = null;

/**
 * Guards the loading of route modules during navigations. When one does not load, Remix reloads the current page on every
 * attempt (@remix-run/react 2.17, routeModules.js). Here the target address is opened as a document instead, at most once
 * a minute; after that a fallback component is shown: `MissingPage` for a whole page, `MissingPart` within the frame of a
 * page. Replaces `lazy` of the routes of Remix's router.
 */
export function guardRouteModules(MissingPage: ComponentType, MissingPart: ComponentType): void {
  for (const route of listRoutes(window.__remixRouter.routes)) {
    const { id, lazy } = route;
    if (lazy === undefined) continue;
    route.lazy = async () => {
      try {
        await loadRouteScript(id);
      } catch {
        const { location } = window.__remixRouter.state.navigation;
        // A newer navigation has replaced the one that needed the module.
        if (location === undefined || !routeIdsOf(location).includes(id) || location.key === opening)
          return never;
        if (openOnce(id, location.pathname + location.search + location.hash)) {
          opening = location.key;
          return never;
        }
        const isPage = window.__remixManifest.routes[id]?.parentId === 'root';
        // The router's type knows no components: React Router adds them (`mapRouteProperties`).
        return { Component: isPage ? MissingPage : MissingPart } as unknown as LazyRoute;
      }
      return lazy();
    };
  }
}
