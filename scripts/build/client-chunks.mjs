/**
 * Which file of the browser's scripts a module is part of. Without a rule, Rollup makes a file of each set of pages that
 * share modules: a page then loads some forty small files.
 */

/**
 * Libraries that every page runs on, and what Rollup adds for those in CommonJS. They change with an update only, so that
 * browsers keep their file for long.
 */
const FRAMEWORK =
  /\/node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler|turbo-stream|@remix-run)\/|commonjsHelpers\.js$/;
const ROOT = /\/app\/root\.tsx/;
const ENTRY = /\/app\/entry\.client\.tsx/;
/** Has two parts, of which each visit shows one: what both share is in the file of the page. */
const RESTOCK = /\/app\/routes\/site\/restock\.tsx/;
const PUBLIC_PAGE = /\/app\/routes\/(?:site\/|account\/(?:login|signup)\.)/;

/**
 * The files of what some public pages share, by the pages and parts of pages (`pagePart`) that may share it; the first that
 * all users of a module are of. What others share is part of `site`.
 */
const SHARED = [
  ['sign-in', /\/routes\/account\/|\/account\/sign-in-dialog\.tsx/],
  ['fields', /\/routes\/account\/|\/account\/sign-in-dialog\.tsx|\/site\/products\/products\.tsx/],
  ['times', /\/site\/(?:status|products\/product-view)\.tsx|\/downloads\/download-bar\.tsx/],
  ['restock', /\/site\/(?:restock-view|products\/product-view)\.tsx/],
  ['cards', /\/site\/(?:landing|news\/[\w-]+|products\/products)\.tsx/],
  ['live', /\/site\/(?:landing|status|restock-view|products\/products)\.tsx/],
  ['products', /\/site\/(?:landing|restock|products\/[\w-]+)\.tsx/],
  ['legal', /\/site\/legal\//],
  ['static-html', /\/site\/(?:developers|news\/article)\.tsx/],
];

/** Whether a page is in one file with modules that others import from it. */
export function isSharedEntry(id) {
  return ROOT.test(id) || RESTOCK.test(id);
}

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
 * - `site`: the root of all pages with what it imports, and what most public pages share
 * - the files of `SHARED`
 */
export function createChunkNames() {
  let names;

  function nameAll({ getModuleIds, getModuleInfo }) {
    const entries = [...getModuleIds()].filter((id) => getModuleInfo(id)?.isEntry);
    const base = entries.filter((id) => ROOT.test(id) || ENTRY.test(id));
    const pages = entries.filter((id) => PUBLIC_PAGE.test(id));
    const users = new Map();
    const parts = new Set();
    const use = (id, user) => users.set(id, new Set([...(users.get(id) ?? []), user]));
    for (const page of [...pages, ...base]) {
      const own = reachable(page, getModuleInfo);
      if (pages.includes(page)) for (const id of own) use(id, page);
      for (const part of [...own].flatMap((id) => getModuleInfo(id)?.dynamicallyImportedIds ?? [])) {
        parts.add(part);
        // What its page has loaded already is no reason for a file.
        for (const id of reachable(part, getModuleInfo)) if (!own.has(id)) use(id, part);
      }
    }
    const found = new Map();
    for (const [id, usersOfModule] of users) {
      if (usersOfModule.size < 2) continue;
      const [name] = SHARED.find(([, kind]) => [...usersOfModule].every((user) => kind.test(user))) ?? [
        'site',
      ];
      found.set(id, name);
    }
    // A page, or a part of one, keeps a file of its name.
    for (const id of [...entries, ...parts]) found.delete(id);
    for (const id of entries) if (RESTOCK.test(id)) found.set(id, 'restock');
    for (const entry of base) for (const id of reachable(entry, getModuleInfo)) found.set(id, 'site');
    for (const id of [...found.keys()]) if (ENTRY.test(id)) found.delete(id);
    return found;
  }

  return (id, graph) => {
    if (FRAMEWORK.test(id)) return 'framework';
    names ??= nameAll(graph);
    return names.get(id);
  };
}
