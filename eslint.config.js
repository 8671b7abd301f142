import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * The one import rule, app → shared ← daemon, and what follows from it. Each row: files in `target` may not
 * import files in `from`.
 */
const rooms = [
  {
    target: './app',
    from: './daemon',
    message: 'app and daemon never meet: what both need lives in shared/.',
  },
  {
    target: './daemon',
    from: './app',
    message: 'app and daemon never meet: what both need lives in shared/.',
  },
  {
    target: './shared',
    from: ['./app', './daemon'],
    message: 'shared/ serves app and daemon and knows neither.',
  },
  {
    target: ['./app', './daemon', './shared', './migrations'],
    from: ['./sandbox', './tests', './scripts'],
    message: 'The product knows nothing of its stand-ins, tests and set-up.',
  },
  {
    target: './sandbox',
    from: ['./app', './daemon', './shared'],
    message: 'A stand-in that shares our code would share our mistakes.',
  },
  {
    target: './migrations',
    from: ['./app', './daemon', './shared'],
    message: 'A merged migration never changes, so it imports nothing that does.',
  },
  { target: ['./app', './shared'], from: './migrations', message: 'Only commands and tests run migrations.' },
  // Inside shared/: the ground floor stands on nothing above it.
  {
    target: [
      './shared/database',
      './shared/config.server.ts',
      './shared/clock.ts',
      './shared/errors.ts',
      './shared/backoff.ts',
      './shared/ids.ts',
      './shared/plain-line.ts',
      './shared/keyring.server.ts',
      './shared/session-secret.server.ts',
    ],
    from: [
      './shared/accounts',
      './shared/alerts',
      './shared/audit',
      './shared/beta',
      './shared/content',
      './shared/mail',
      './shared/monitor',
      './shared/news',
      './shared/queues',
      './shared/restock',
      './shared/settings',
      './shared/storage',
      './shared/health.server.ts',
    ],
    message: 'The ground floor imports no concept.',
  },
  {
    target: './shared/queues',
    from: [
      './shared/accounts',
      './shared/alerts',
      './shared/audit',
      './shared/beta',
      './shared/content',
      './shared/mail',
      './shared/monitor',
      './shared/news',
      './shared/restock',
      './shared/settings',
      './shared/storage',
    ],
    message: 'The ground floor imports no concept.',
  },
  {
    target: './shared/mail',
    from: [
      './shared/accounts',
      './shared/alerts',
      './shared/beta',
      './shared/monitor',
      './shared/news',
      './shared/settings',
    ],
    message: 'Mail is sent for others and knows none of them.',
  },
  {
    target: './shared/accounts',
    from: ['./shared/beta', './shared/alerts', './shared/monitor', './shared/news', './shared/settings'],
    message: 'Everybody knows accounts; accounts know nobody.',
  },
  {
    target: './shared/alerts',
    from: './shared/monitor',
    message: 'The monitor opens alerts; alerts know no monitor.',
  },
  {
    target: './shared/content',
    from: [
      './shared/accounts',
      './shared/alerts',
      './shared/beta',
      './shared/mail',
      './shared/monitor',
      './shared/news',
      './shared/queues',
      './shared/settings',
      './shared/storage',
    ],
    message: 'The revision counts for others and knows none of them.',
  },
  {
    target: './shared/storage',
    from: [
      './shared/accounts',
      './shared/alerts',
      './shared/beta',
      './shared/content',
      './shared/mail',
      './shared/monitor',
      './shared/news',
      './shared/settings',
    ],
    message: 'Files are stored for others; storage knows none of them.',
  },
  {
    target: './shared/news',
    from: ['./shared/alerts', './shared/beta', './shared/mail', './shared/monitor', './shared/settings'],
    message: 'News stands by itself: pages bring it together with the settings.',
  },
  {
    target: './shared/settings',
    from: ['./shared/alerts', './shared/beta', './shared/mail', './shared/monitor', './shared/news'],
    message: 'Everybody may ask the settings; they ask nobody.',
  },
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
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: rooms }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
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
    rules: reactHooks.configs.recommended.rules,
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
  // The configuration itself, set-up that runs before the product, and what stands outside it.
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
