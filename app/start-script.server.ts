import type { EntryContext } from '@remix-run/node';

/*
 * Replaces Remix's `<Scripts>`, which requests all scripts of a page while its HTML arrives: on a slow connection they
 * delay the style sheet. It sets what `<Scripts>` sets (@remix-run/react 2.17, components.js): `__remixContext` with the
 * stream of the loaders' data, `__remixManifest` and `__remixRouteModules`, and then imports the entry.
 */

/** A page that is not painted, such as in a background tab, starts this long after its style sheet and images have loaded. */
const UNPAINTED_MS = 1_000;

/**
 * Loads the scripts after the first paint, so that they do not delay the style sheet. The first animation frame would be
 * too early, above all on pages with much text. If a script does not load, marks the page, which then shows the content
 * for browsers without scripts (`noscript:` in class names).
 */
const START = `{
  let started = false;
  const start = async () => {
    if (started) return;
    started = true;
    try {
      for (const href of files) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
      if (first) await import(first);
      const modules = await Promise.all(Object.values(routes).map((file) => import(file)));
      window.__remixRouteModules = Object.fromEntries(Object.keys(routes).map((id, at) => [id, modules[at]]));
      await import(manifest);
      await import(entry);
    } catch (error) {
      document.documentElement.dataset.scripts = 'missing';
      if (!/imported module|module script/.test(error)) console.error(error);
    }
  };
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  addEventListener('load', () => setTimeout(start, ${UNPAINTED_MS}));
}`.replaceAll(/\n\s*/g, '');

/** A value as an expression of a script. Only `<` can end the text of a script (html.spec.whatwg.org, section 4.12.1.3). */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Returns the inline script that starts a page in the browser. `data`: the data of its loaders, as Remix encodes it. */
export function startScriptOf(
  { manifest, staticHandlerContext, serverHandoffString = '{}' }: Omit<EntryContext, 'serverHandoffStream'>,
  data: string,
): string {
  const matched = staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id] ?? []);
  // The build appends the entry to the manifest (vite.config.ts): one file less.
  const entry = import.meta.env.PROD ? manifest.url : manifest.entry.module;
  const files = new Set([
    manifest.url,
    entry,
    ...manifest.entry.imports,
    ...matched.flatMap(({ module, imports = [] }) => [module, ...imports]),
  ]);
  const values = {
    files: [...files],
    // In development: Vite's module replacement.
    first: 'hmr' in manifest ? (manifest.hmr as { runtime: string }).runtime : null,
    routes: Object.fromEntries(matched.map(({ id, module }) => [id, module])),
    manifest: manifest.url,
    entry,
  };
  return (
    `window.__remixContext=Object.assign(${serverHandoffString},{stream:new Response(${literal(data)}).body});` +
    `{const {files,first,routes,manifest,entry}=${literal(values)};${START}}`
  );
}
