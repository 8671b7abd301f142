/**
 * Which file of the browser's scripts a module is part of. Without a rule, Rollup makes a file of each set of pages that
 * share modules: a page then loads some forty small files.
 */

/** Libraries that every page runs on. They change with an update only, so that browsers keep their file for long. */
const FRAMEWORK =
  /\/node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler|turbo-stream|@remix-run)\//;
const BASE = /\/app\/(?:root|entry\.client)\.tsx/;
const PUBLIC_PAGE = /\/app\/routes\/(?:site\/|account\/(?:login|signup)\.)/;
const SIGN_IN_PAGE = /\/app\/routes\/account\//;
const LANDING_PAGE = /\/app\/routes\/site\/landing\.tsx/;
const LIVE_PAGE = /\/app\/routes\/site\/(?:landing|restock|status|products\/products)\.tsx/;
const TIMES_PAGE = /\/app\/routes\/site\/(?:restock|status)\.tsx/;

/** Returns the modules that an entry imports, directly or by others, and itself. */
function reachable(entry, getModuleInfo) {
  const found = new Set();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/**
 * Returns the function that names the file of a module for Rollup (`output.manualChunks`); undefined: Rollup chooses.
 * - `framework`: the libraries of every page
 * - `site`: what the root of all pages imports
 * - `sign-in`: what the pages for signing in share, and the dialog of the landing page
 * - `times`: the hours at which waiting rooms and products came, which two pages show
 * - `live`: what only the pages with the live state, of a shop or of products, share
 * - `pages`: what other public pages share
 */
export function createChunkNames() {
  let names;

  function nameAll({ getModuleIds, getModuleInfo }) {
    const entries = [...getModuleIds()].filter((id) => getModuleInfo(id)?.isEntry);
    const base = new Set();
    const users = new Map();
    for (const entry of entries) {
      if (BASE.test(entry)) for (const id of reachable(entry, getModuleInfo)) base.add(id);
      if (!PUBLIC_PAGE.test(entry)) continue;
      for (const id of reachable(entry, getModuleInfo)) users.set(id, [...(users.get(id) ?? []), entry]);
    }
    const found = new Map();
    for (const [id, pages] of users) {
      if (pages.length < 2) continue;
      const areAll = (...kinds) => pages.every((page) => kinds.some((kind) => kind.test(page)));
      if (areAll(SIGN_IN_PAGE, LANDING_PAGE)) found.set(id, 'sign-in');
      else if (areAll(TIMES_PAGE)) found.set(id, 'times');
      else found.set(id, areAll(LIVE_PAGE) ? 'live' : 'pages');
    }
    for (const id of base) found.set(id, 'site');
    // An entry keeps a file of its name.
    for (const entry of entries) found.delete(entry);
    for (const id of [...found.keys()]) if (BASE.test(id)) found.delete(id);
    return found;
  }

  return (id, graph) => {
    if (FRAMEWORK.test(id)) return 'framework';
    names ??= nameAll(graph);
    return names.get(id);
  };
}
