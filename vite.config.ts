import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { denyImports } from 'vite-env-only';
import remixConfig from './remix.config.js';

/** What client code must not import, beside `*.server` files, which Remix refuses. */
export const SERVER_ONLY = [
  /^(?:kysely|better-sqlite3|bullmq|ioredis)(?:\/|$)/,
  /^node:/,
  // Node's modules by their older names.
  new RegExp(`^(?:${builtinModules.join('|')})$`),
];

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    command === 'build' && denyImports({ client: { specifiers: SERVER_ONLY } }),
    tailwindcss(),
    remix(remixConfig),
  ],
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  build: {
    target: 'es2022',
    // Source maps stay on the server: stack traces in logs name our lines, browsers get none.
    sourcemap: isSsrBuild === true,
    // remix-serve gives everything in build/client a year and `immutable`. Files of public/ keep their names
    // when they change, so they are served from where they are, for an hour.
    copyPublicDir: false,
  },
}));
