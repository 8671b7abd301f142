import js from '@eslint/js';
import { readdirSync } from 'node:fs';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * The imports that each folder of shared/ may have beside itself. Every folder may import the files directly in shared/,
 * and every concept may import `BASE_FOLDERS`. A concept may import another concept only if it is listed here. There are
 * no cycles.
 */
export const ALLOWED_IMPORTS = {
  // The base folders.
  database: [],
  queues: [],
  outbox: ['database', 'queues'],
  // Concepts that import no other concept.
  audit: [],
  content: [],
  mail: [],
  // Requests to outside addresses, above all those that people enter.
  network: [],
  // How a process reports the failure that ended it, shuts down, and reads the machine's clock.
  process: [],
  storage: [],
  // Concepts.
  // Alerts to each member by mail and push; the concepts below it store who wants them.
  'member-alerts': ['accounts', 'alerts', 'audit', 'mail', 'push', 'subscriptions'],
  push: ['audit', 'network'],
  status: ['alerts', 'monitor'],
  accounts: ['audit', 'mail', 'storage', 'subscriptions'],
  alerts: ['audit', 'mail', 'network'],
  beta: ['accounts', 'audit', 'mail'],
  // Applies Stripe's events and reconciles; the concepts below it read and write.
  billing: ['alerts', 'audit', 'mail', 'payments', 'subscriptions', 'tokens'],
  // Moves the due times of events when the wall clock was set.
  monitor: ['alerts', 'audit', 'billing', 'content', 'mail', 'member-alerts', 'network', 'process'],
  news: ['audit', 'content', 'storage'],
  payments: ['audit', 'mail'],
  releases: ['audit', 'content', 'storage'],
  // The restock page of a watch; its test reads the link of an alert.
  restock: ['alerts', 'monitor', 'network'],
  settings: ['audit', 'content', 'storage'],
  subscriptions: ['audit', 'mail', 'payments'],
  tokens: ['audit', 'mail', 'payments'],
};

/** The folders that every concept may import. */
export const BASE_FOLDERS = ['database', 'outbox', 'queues'];

/**
 * The import zones of shared/ for a table like `ALLOWED_IMPORTS`. Throws when the table lacks a folder or names one that
 * does not exist.
 */
export function zonesOfShared(allowed) {
  const parts = Object.keys(allowed);
  const entries = readdirSync(new URL('shared/', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const unknown = folders.filter((name) => !parts.includes(name));
  const gone = parts.filter((name) => !folders.includes(name));
  if (unknown.length + gone.length > 0)
    throw new Error(
      `the table of eslint.config.js and shared/ differ in: ${[...unknown, ...gone].join(', ')}`,
    );

  const pathsOf = (names) => names.map((name) => `./shared/${name}`);
  return [
    {
      target: pathsOf(files),
      from: pathsOf(parts),
      message: 'Files directly in shared/ import none of its folders.',
    },
    ...parts.map((part) => {
      const open = [part, ...allowed[part], ...(BASE_FOLDERS.includes(part) ? [] : BASE_FOLDERS)];
      return {
        target: `./shared/${part}`,
        from: pathsOf(parts.filter((name) => !open.includes(name))),
        message: `shared/${part} may not import it: see the table in eslint.config.js.`,
      };
    }),
  ];
}

/**
 * The import rule app → shared ← daemon, and its consequences. Files in `target` must not import files in `from`.
 */
const zones = [
  {
    target: './app',
    from: './daemon',
    message: 'app and daemon do not import each other: put what both need into shared/.',
  },
  {
    target: './daemon',
    from: './app',
    message: 'app and daemon do not import each other: put what both need into shared/.',
  },
  {
    target: './shared',
    from: ['./app', './daemon'],
    message: 'shared/ imports neither app nor daemon.',
  },
  {
    target: ['./app', './daemon', './shared', './migrations'],
    from: ['./sandbox', './tests', './scripts'],
    message: 'The product imports no stand-ins, tests or scripts.',
  },
  {
    target: './sandbox',
    from: ['./app', './daemon', './shared'],
    message: 'A stand-in that imports our code repeats our mistakes.',
  },
  {
    target: './migrations',
    from: ['./app', './daemon', './shared'],
    message: 'A merged migration never changes, so it imports nothing that does.',
  },
  { target: ['./app', './shared'], from: './migrations', message: 'Only commands and tests run migrations.' },
  ...zonesOfShared(ALLOWED_IMPORTS),
];

export default tseslint.config(
  {
    ignores: [
      'build/',
      'data/',
      'node_modules/',
      '.cache/',
      'test-results/',
      'playwright-report/',
      'tests/fixtures/lint/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only shared/config.server.ts reads the environment.',
        },
      ],
    },
  },
  {
    files: ['app/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.name='request'][callee.property.name=/^(arrayBuffer|blob|formData|json|text)$/]",
          message: 'It has no limits: use readForm, readJson or readUpload, which limit size and time.',
        },
      ],
    },
  },
  {
    files: ['app/**/*.{ts,tsx}'],
    ignores: ['app/http/forms/page-forms.server.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^@conform-to/(zod|dom)',
              message:
                'It builds objects from any field name: use parsePageForm, which passes only the schema’s names.',
            },
          ],
          paths: [
            { name: '@conform-to/react', importNames: ['parse'], message: 'Use parsePageForm: see above.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '*.config.{js,ts}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        performance: 'readonly',
        structuredClone: 'readonly',
        TextDecoder: 'readonly',
        setImmediate: 'readonly',
      },
    },
  },
  {
    files: ['public/push-worker.js'],
    languageOptions: { globals: { self: 'readonly', fetch: 'readonly', URL: 'readonly' } },
  },
  // These may read the environment: the configuration, build files, scripts, sandbox and tests.
  {
    files: [
      'shared/config.server.ts',
      'scripts/**',
      'sandbox/**',
      'tests/**',
      '*.config.{js,ts}',
      'vite.config.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
);
