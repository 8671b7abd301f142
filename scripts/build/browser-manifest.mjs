/** What the script of Remix's manifest begins and ends with (@remix-run/dev 2.17, vite/plugin.js). */
const SCRIPT = /^window\.__remixManifest=(\{.*\});$/s;

/** Routes that a browser requests but never shows or submits to by the router: the API, feeds and other files. */
const NOT_NAVIGATED = /^(?:api\/|healthz$)|\./;

/**
 * Returns the script of Remix's manifest without what browsers do not use: routes that they never navigate to, facts that
 * are false or empty, and the files that a route's own script imports (the page itself names them, and a script loads what
 * it imports). Throws when it is not such a script.
 */
export function shrinkManifest(script) {
  const [, json] = SCRIPT.exec(script) ?? [];
  if (json === undefined) throw new Error('the manifest of the routes has an unknown form');
  const manifest = JSON.parse(json);
  const routes = Object.entries(manifest.routes).filter(([, { path = '' }]) => !NOT_NAVIGATED.test(path));
  const shrink = (route) =>
    Object.fromEntries(
      Object.entries(route).filter(
        ([name, value]) =>
          value !== false && name !== 'imports' && !(Array.isArray(value) && value.length === 0),
      ),
    );
  manifest.routes = Object.fromEntries(routes.map(([id, route]) => [id, shrink(route)]));
  return `window.__remixManifest=${JSON.stringify(manifest)};`;
}

/** Returns the name of the file of the entry that such a script names. */
export function entryOf(script) {
  return JSON.parse(SCRIPT.exec(script)[1]).entry.module.split('/').at(-1);
}
