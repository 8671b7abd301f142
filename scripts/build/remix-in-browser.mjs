/**
 * What Remix's client does by flags that `remix.config.js` has decided, as constants: the code of the other way is left out of
 * the browser's scripts. Its files are those of @remix-run/react 2.17. Each entry: the end of a file's name, what is
 * replaced, and by what.
 */
const REPLACED = [
  // `v3_singleFetch` is on.
  ['browser.js', /window\.__remixContext\.future\.v3_singleFetch/g, 'true'],
  ['components.js', /future\.v3_singleFetch/g, 'true'],
  ['links.js', /future\.v3_singleFetch/g, 'true'],
  ['routes.js', /future\.v3_singleFetch/g, 'true'],
  // The site is rendered on the server.
  ['browser.js', /window\.__remixContext\.isSpaMode/g, 'false'],
  // The root has an error boundary of its own, so Remix's, which shows `<Scripts>`, never renders.
  ['errorBoundaries.js', /React\.createElement\(Scripts, null\)/g, 'null'],
  // `v3_lazyRouteDiscovery` is off.
  [
    'fog-of-war.js',
    /^.*$/s,
    'export const isFogOfWarEnabled = () => false;\nexport const getPartialManifest = () => undefined;\nexport const getPatchRoutesOnNavigationFunction = () => undefined;\nexport const useFogOFWarDiscovery = () => undefined;\n',
  ],
];

const FILE = /\/node_modules\/@remix-run\/react\/dist\/esm\/([\w-]+\.js)$/;

/** Returns the code of a file of Remix for browsers; null for a file that stays as it is. Throws when it lacks what is replaced. */
export function remixInBrowser(id, code) {
  const [, name] = FILE.exec(id) ?? [];
  const edits = REPLACED.filter(([file]) => file === name);
  if (edits.length === 0) return null;
  return edits.reduce((edited, [, what, by]) => {
    const next = edited.replace(what, () => by);
    if (next === edited) throw new Error(`${name} of @remix-run/react lacks ${what}`);
    return next;
  }, code);
}
