import { matchRoutes } from '@remix-run/react';

/**
 * Loads the scripts of a page of this site before a form is sent there: its script says when nothing was sent. Remix's
 * own prefetching reloads the page whenever one does not load (@remix-run/react 2.17, routeModules.js).
 */
export function preloadPage(address: string): void {
  const routes = window.__remixRouter.routes as Parameters<typeof matchRoutes>[0];
  for (const { route } of matchRoutes(routes, address) ?? []) {
    const module = window.__remixManifest.routes[route.id ?? '']?.module;
    if (module !== undefined) import(/* @vite-ignore */ module).catch(() => undefined);
  }
}
