import { vitePlugin as remix } from '@remix-run/dev';
import type { ServerBuild } from '@remix-run/node';
import tailwindcss from '@tailwindcss/vite';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { denyImports } from 'vite-env-only';
import type * as Development from './app/http/server/development.server';
import remixConfig from './remix.config.js';

/** What client code must not import, beside `*.server` files, which Remix refuses. */
export const SERVER_ONLY = [
  /^(?:kysely|better-sqlite3|bullmq|ioredis)(?:\/|$)/,
  /^node:/,
  // Node's modules by their older names.
  new RegExp(`^(?:${builtinModules.join('|')})$`),
];

const PIPELINE = '/app/http/server/development.server.ts';

/**
 * Runs the pipeline before Remix in development, as `attach.server.ts` does in production. Vite serves its own modules
 * and the files of public/ before it.
 */
function pipelineInDevelopment(): Plugin {
  return {
    name: 'packwatch-pipeline',
    apply: 'serve',
    configureServer(vite) {
      const load = <Module>(id: string) => vite.ssrLoadModule(id) as Promise<Module>;
      const loadBuild = () => load<ServerBuild>('virtual:remix/server-build');
      return () =>
        vite.middlewares.use((request, response, next) => {
          load<typeof Development>(PIPELINE)
            .then(({ developmentPipeline }) =>
              developmentPipeline(loadBuild)(request, response, () => {
                // Remix's dev server reads this, not the normalised `url` (@remix-run/dev, node-adapter.js).
                request.originalUrl = request.url;
                next();
              }),
            )
            .catch(next);
        });
    },
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Before Remix, whose dev server answers every request that reaches it.
  plugins: [
    command === 'build' && denyImports({ client: { specifiers: SERVER_ONLY } }),
    tailwindcss(),
    pipelineInDevelopment(),
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
