import { readdirSync, type Dirent } from 'node:fs';
import { resolve } from 'node:path';

/** Imports that are forbidden: no file in a folder of `target` imports a file in a folder of `from`, except `allowed`. */
interface Zone {
  target: readonly string[];
  from: readonly string[];
  allowed?: readonly string[];
  message: string;
}

/**
 * The imports that each folder of shared/ may have beside itself. Every folder may import the files directly in shared/,
 * and every concept may import `BASE_FOLDERS`. A concept may import another concept only if it is listed here. There are
 * no cycles.
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  // The base folders.
  database: [],
  queues: [],
  outbox: ['database', 'queues'],
  // Concepts that import no other concept.
  audit: [],
  content: [],
  // Each channel sends one message, for every outbox.
  channels: ['network'],
  mail: ['channels'],
  // Requests to outside addresses, above all those that people enter.
  network: [],
  // How a process reports the failure that ended it, and shuts down.
  process: [],
  // Values that a page in the browser and its server share: paths, the result of a form, theme, consent.
  site: [],
  storage: ['network'],
  // Concepts.
  // Alerts to each member by mail and push; the concepts below it store who wants them.
  'member-alerts': ['accounts', 'alerts', 'audit', 'channels', 'follows', 'mail', 'push', 'subscriptions'],
  // The products that members follow and suggest.
  follows: ['accounts', 'alerts', 'audit', 'monitor', 'products', 'roles'],
  push: ['network'],
  // What is held about a member: the archive of it, and its end.
  'personal-data': [
    'accounts',
    'audit',
    'billing',
    'content',
    'mail',
    'payments',
    'roles',
    'storage',
    'subscriptions',
  ],
  status: ['alerts', 'monitor', 'payments'],
  accounts: ['audit', 'mail', 'roles', 'storage', 'subscriptions'],
  alerts: ['audit', 'channels', 'storage'],
  beta: ['accounts', 'audit', 'mail', 'roles'],
  // Applies Stripe's events and reconciles; the concepts below it read and write.
  billing: ['alerts', 'audit', 'mail', 'payments', 'subscriptions', 'tokens'],
  monitor: ['alerts', 'audit', 'channels', 'content', 'network', 'process', 'roles', 'storage'],
  news: ['audit', 'content', 'storage'],
  payments: ['audit', 'mail', 'network'],
  releases: ['audit', 'storage'],
  // What the public sees of products.
  products: ['alerts', 'monitor', 'status'],
  // The restock page of a watch; its test reads the link of an alert.
  restock: ['alerts', 'monitor', 'network'],
  settings: ['audit', 'content', 'storage'],
  // Requests the roles on Discord of members; `role-sync` gives and takes them.
  roles: ['settings'],
  'role-sync': ['accounts', 'audit', 'channels', 'follows', 'roles', 'settings', 'subscriptions'],
  subscriptions: ['mail', 'payments', 'roles'],
  tokens: ['audit', 'mail', 'payments'],
};

/** The folders that every concept may import. */
const BASE_FOLDERS: readonly string[] = ['database', 'outbox', 'queues'];

/** The folders of shared/ that a folder of it may import, itself included. */
export function importableFolders(part: string): string[] {
  return [part, ...(ALLOWED_IMPORTS[part] ?? []), ...(BASE_FOLDERS.includes(part) ? [] : BASE_FOLDERS)];
}

/** The folders of shared/, and the files directly in it. */
export function partsOfShared(): { folders: string[]; files: string[] } {
  const entries = readdirSync(resolve(import.meta.dirname, '../../../shared'), { withFileTypes: true });
  return {
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
  };
}

/**
 * The imports inside app/: each folder may import itself and the listed folders of its kind (components/, http/, routes/). A
 * route may also import every component and all of http/ except the pipeline. There are no cycles. No folder imports the files
 * directly in app/ and in routes/, such as the root route, which stand above all folders.
 */
export const ALLOWED_IN_APP: Readonly<Record<string, readonly string[]>> = {
  // The base of the components.
  'components/animations': [],
  'components/lazy': [],
  'components/time': [],
  'components/ui': ['lazy'],
  // The facts of every page, its title and addresses.
  'components/site': ['ui'],
  'components/forms': ['site', 'ui'],
  // Components by concept.
  'components/account': ['forms', 'lazy', 'releases', 'site', 'time', 'ui'],
  'components/admin': ['animations', 'forms', 'site', 'time', 'ui'],
  'components/articles': ['animations', 'editor', 'forms', 'lazy', 'time', 'ui'],
  'components/consent': ['forms', 'ui'],
  'components/downloads': ['forms', 'releases', 'site', 'time', 'ui'],
  'components/editor': ['animations', 'lazy', 'ui'],
  'components/monitor': ['admin', 'forms', 'time', 'ui'],
  'components/news': ['site', 'ui'],
  'components/payment': ['forms', 'lazy', 'ui'],
  'components/products': ['forms', 'restock', 'site', 'status', 'time', 'ui'],
  'components/releases': ['forms', 'time', 'ui'],
  'components/restock': ['monitor', 'time', 'ui'],
  'components/status': ['monitor', 'time', 'ui'],
  'components/subscription': ['account', 'forms', 'payment', 'time', 'ui'],
  'components/theme': ['forms', 'ui'],
  'components/tokens': ['account', 'payment', 'time', 'ui'],
  // What stands around the content of a page: navigation bar, footer, error page.
  'components/page': ['account', 'consent', 'forms', 'site', 'theme', 'ui'],
  // Whole pages.
  'components/dashboard': [
    'account',
    'admin',
    'downloads',
    'monitor',
    'payment',
    'products',
    'releases',
    'subscription',
    'time',
    'tokens',
    'ui',
  ],
  'components/developers': ['page', 'site', 'ui'],
  'components/landing': ['account', 'monitor', 'news', 'products', 'site', 'theme', 'time', 'ui'],
  'components/legal': ['page', 'time'],
  // What every request needs: context, failures, limits.
  'http/server': [],
  'http/cookies': ['server'],
  'http/auth': ['cookies', 'server'],
  'http/files': ['server'],
  'http/forms': ['auth', 'cookies', 'server'],
  'http/api': ['auth', 'cookies', 'forms', 'server'],
  'http/page-cache': ['cookies', 'server'],
  // The steps before Remix, and the start.
  'http/pipeline': ['api', 'auth', 'cookies', 'files', 'page-cache', 'server'],
  'routes/account': [],
  'routes/api': [],
  // The products that the API lists, and its document.
  'routes/site': ['api'],
  // Settings of the site, and the monitor's state as visitors see it.
  'routes/dashboard': ['site'],
  // The guard of uploads that the API has as well; the settings of the site, and an article as visitors see it.
  'routes/admin': ['api', 'site'],
  // What TSX compiles to imports it, by `jsxImportSource`.
  jsx: [],
  // Style sheets, which app.css and signed-in.css import.
  styles: [],
};

/** The steps before Remix, which only the entry of the server starts. */
const ROOF = 'http/pipeline';

const KINDS: readonly string[] = ['components', 'http', 'routes'];

const entriesOf = (path: string): Dirent[] =>
  readdirSync(resolve(import.meta.dirname, '../../..', path), { withFileTypes: true });
const foldersIn = (path: string): string[] =>
  entriesOf(path)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The folders of app/, such as `components/ui`; of components/, http/ and routes/ the folders in them. */
export function partsOfApp(): string[] {
  return foldersIn('app').flatMap((name) =>
    KINDS.includes(name) ? foldersIn(`app/${name}`).map((part) => `${name}/${part}`) : name,
  );
}

/** The files directly in app/, and in its folders that hold folders. */
function filesAboveParts(): string[] {
  return ['app', ...KINDS.map((kind) => `app/${kind}`)].flatMap((path) =>
    entriesOf(path)
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${path}/${name}`),
  );
}

/** The folders of app/ that a folder of it may import, itself included. */
export function importableInApp(part: string): string[] {
  const [kind = ''] = part.split('/', 1);
  const below =
    kind === 'routes'
      ? partsOfApp().filter((name) => /^(?:components|http)\//.test(name) && name !== ROOF)
      : [];
  return [part, ...(ALLOWED_IN_APP[part] ?? []).map((name) => `${kind}/${name}`), ...below];
}

function zonesOfApp(): Zone[] {
  const parts = partsOfApp();
  return [
    {
      target: parts.map((part) => `app/${part}`),
      from: filesAboveParts(),
      message: 'the files directly in app/ and routes/ import its folders, never the other way round',
    },
    ...parts.map((part) => ({
      target: [`app/${part}`],
      from: parts.filter((name) => !importableInApp(part).includes(name)).map((name) => `app/${name}`),
      message: `app/${part} may not import it: see ALLOWED_IN_APP`,
    })),
  ];
}

function zonesOfShared(): Zone[] {
  const { folders, files } = partsOfShared();
  const pathsOf = (names: readonly string[]) => names.map((name) => `shared/${name}`);
  return [
    {
      target: pathsOf(files),
      from: pathsOf(folders),
      message: 'files directly in shared/ import none of its folders',
    },
    ...folders.map((part) => ({
      target: [`shared/${part}`],
      from: pathsOf(folders.filter((name) => !importableFolders(part).includes(name))),
      message: `shared/${part} may not import it: see ALLOWED_IMPORTS`,
    })),
  ];
}

/** The import rule app → shared ← daemon, and its consequences. */
const ZONES: readonly Zone[] = [
  {
    target: ['app'],
    from: ['daemon'],
    message: 'app and daemon do not import each other: put what both need into shared/',
  },
  {
    target: ['daemon'],
    from: ['app'],
    message: 'app and daemon do not import each other: put what both need into shared/',
  },
  { target: ['shared'], from: ['app', 'daemon'], message: 'shared/ imports neither app nor daemon' },
  {
    target: ['app', 'daemon', 'shared', 'migrations'],
    from: ['sandbox', 'tests', 'scripts'],
    message: 'the product imports no stand-ins, tests or scripts',
  },
  {
    target: ['sandbox'],
    from: ['app', 'daemon', 'shared', 'migrations', 'scripts', 'tests'],
    message: 'the sandbox is a package without code of the product, whose mistakes it would repeat',
  },
  {
    target: ['migrations'],
    from: ['app', 'daemon', 'shared'],
    message: 'a merged migration never changes, so it imports nothing that does',
  },
  {
    target: ['app', 'shared'],
    from: ['migrations'],
    // Reads the names of the migrations, to refuse a database of another release.
    allowed: ['app/http/pipeline/start-server.server.ts'],
    message: 'only commands and tests run migrations',
  },
  {
    target: [
      'app',
      'daemon',
      'migrations',
      ...partsOfShared()
        .folders.filter((name) => name !== 'database')
        .map((name) => `shared/${name}`),
    ],
    from: ['shared/database/sqlite', 'shared/database/postgres'],
    message: 'only shared/database knows which engine the database is',
  },
  ...zonesOfApp(),
  ...zonesOfShared(),
];

const isInside = (file: string, folders: readonly string[]) =>
  folders.some((folder) => file === folder || file.startsWith(`${folder}/`));

/** Why a file must not import another one, or null. Paths are relative to the repository's folder. */
export function forbiddenImport(file: string, imported: string): string | null {
  const zone = ZONES.find(
    ({ target, from, allowed = [] }) =>
      isInside(file, target) && isInside(imported, from) && !allowed.includes(file),
  );
  return zone === undefined ? null : `${file} imports ${imported}: ${zone.message}`;
}
