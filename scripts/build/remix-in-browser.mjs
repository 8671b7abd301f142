/**
 * What Remix's client does by flags that `remix.config.js` has decided, as constants: the code of the other way is left out of
 * the browser's scripts. Its files are those of @remix-run/react 2.17 and @remix-run/router 1.23. Each entry:
 * the end of a file's path, what is replaced, and by what.
 */
const REPLACED = [
  // `v3_singleFetch` is on.
  ['browser.js', /window\.__remixContext\.future\.v3_singleFetch/g, 'true'],
  ['components.js', /future\.v3_singleFetch/g, 'true'],
  ['links.js', /future\.v3_singleFetch/g, 'true'],
  ['routes.js', /future\.v3_singleFetch/g, 'true'],
  ['routes.js', /typeof singleFetch === "function"/g, 'true'],
  // Only development asks for routes anew.
  ['browser.js', /router\.createRoutesForHMR = .*/, ''],
  // No page uses it, and Rollup keeps it for this line.
  ['components.js', /NavLink\.displayName = .*/, ''],
  // Advice for developers: a link to prefetch that leads to no route, and a meta descriptor with an unknown tag.
  ['components.js', /console\.warn\(`(?:Tried to prefetch|A meta object).*/g, ''],
  // A newer navigation has aborted the request whose answer cannot be decoded: that is no fault.
  ['single-fetch.js', /(?=console\.error\(e\);)/, 'if (init.signal?.aborted) throw e;\n'],
  // Each page gets its data with its HTML, so nothing is shown in its place.
  ['routes.js', /route\.id === "root" \? RemixRootDefaultHydrateFallback : undefined/, 'undefined'],
  // The site is rendered on the server.
  ['routes.js', /if \(isSpaMode\)/g, 'if (false)'],
  ['browser.js', /window\.__remixContext\.isSpaMode/g, 'false'],
  // The root has its own error boundary, so Remix's, which shows `<Scripts>`, never renders.
  ['errorBoundaries.js', /React\.createElement\(Scripts, null\)/g, 'null'],
  // An advice for developers, in the page that is shown when that boundary fails, too.
  ['errorBoundaries.js', /let heyDeveloper = .*?\}\n {2}\}\);/s, 'let heyDeveloper = null;'],
  // A visitor has no use for a stack trace.
  [
    'errorBoundaries.js',
    /React\.createElement\("pre", \{\s+style: \{[^}]*\}\s+\}, errorInstance\.stack\)/,
    '"Please reload the page."',
  ],
  ['errorBoundaries.js', /\{\s+style: \{\s+fontSize: "24px"\s+\}\s+\}/g, 'null'],
  // `v3_lazyRouteDiscovery` is off.
  [
    'fog-of-war.js',
    /^.*$/s,
    'export const isFogOfWarEnabled = () => false;\nexport const getPartialManifest = () => undefined;\nexport const getPatchRoutesOnNavigationFunction = () => undefined;\nexport const useFogOFWarDiscovery = () => undefined;\n',
  ],
  ['router.js', /init\.patchRoutesOnNavigation/, 'undefined'],
  ['router.js', /if \(fogOfWar\.active\b/g, 'if (false'],
  ['router.js', /if \(isFogOfWar\)/g, 'if (false)'],
  // No loader defers data.
  ['router.js', /return result\.type === ResultType\.deferred;/, 'return false;'],
  ['router.js', /return deferred && typeof deferred === "object"[^;]*;/, 'return false;'],
  ['router.js', /await Promise\.all\(\[resolveNavigationDeferredResults\(.*\]\);/, ''],
];

const PACKAGES = /\/node_modules\/(?:@remix-run\/react|@remix-run\/router)\//;

/** Returns the code of a file of Remix for browsers; null for a file that stays as it is. Throws when it lacks what is replaced. */
export function remixInBrowser(id, code) {
  const edits = PACKAGES.test(id) ? REPLACED.filter(([file]) => id.endsWith(`/${file}`)) : [];
  if (edits.length === 0) return null;
  return edits.reduce((edited, [, what, by]) => {
    const next = edited.replace(what, () => by);
    if (next === edited) throw new Error(`${id} lacks ${what}`);
    return next;
  }, code);
}
