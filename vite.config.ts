import { vitePlugin as remix } from '@remix-run/dev';
import type { ServerBuild } from '@remix-run/node';
import tailwindcss from '@tailwindcss/vite';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { denyImports } from 'vite-env-only';
import type * as StartServer from './app/http/pipeline/start-server.server';
import type * as PublicPages from './app/routes/public-pages.server';
import remixConfig from './remix.config.js';
import { entryOf, shrinkManifest } from './scripts/build/browser-manifest.mjs';
import { BUNDLED_PACKAGES } from './scripts/build/bundled-packages.mjs';
import { createChunkNames, isSharedEntry } from './scripts/build/client-chunks.mjs';
import { keepLinesOfMaps } from './scripts/build/line-maps.mjs';
import { remixInBrowser } from './scripts/build/remix-in-browser.mjs';

/** Imports that the client build rejects. Remix itself rejects `*.server` files. */
export const SERVER_ONLY = [
  /^(?:kysely|better-sqlite3|pg|bullmq|ioredis)(?:\/|$)/,
  /^node:/,
  // Node's modules without the prefix `node:`.
  new RegExp(`^(?:${builtinModules.join('|')})$`),
];

const START_SERVER = '/app/http/pipeline/start-server.server.ts';
const PUBLIC_PAGES = '/app/routes/public-pages.server.ts';

/**
 * Runs the pipeline before Remix in development, as `attach.server.ts` does in production. It runs after Vite's own
 * middleware, which serves modules and the files of public/.
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
          Promise.all([load<typeof StartServer>(START_SERVER), load<typeof PublicPages>(PUBLIC_PAGES)])
            .then(([{ createDevelopmentPipeline }, { PUBLIC_PAGES: publicPages }]) =>
              createDevelopmentPipeline({ loadBuild, publicPages })(request, response, () => {
                // Remix's dev server reads `originalUrl` instead of `url` (@remix-run/dev, node-adapter.js).
                request.originalUrl = request.url;
                next();
              }),
            )
            .catch(next);
        });
    },
  };
}

/** How Brotli writes distances (RFC 7932, section 4), as NPOSTFIX and NDIRECT: which is smallest depends on the file. */
const DISTANCES = [
  [0, 0],
  [0, 12],
  [3, 8],
] as const;

function compress(content: Buffer): Buffer {
  const [smallest = content] = DISTANCES.map(([postfix, direct]) =>
    brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_NPOSTFIX]: postfix, [constants.BROTLI_PARAM_NDIRECT]: direct },
    }),
  ).toSorted((one, other) => one.length - other.length);
  return smallest;
}

/** Writes a copy of each script and style for browsers that take Brotli, which `release-assets.server.ts` sends. */
function compressAssets(): Plugin {
  return {
    name: 'packwatch-compress-assets',
    // Remix writes the manifest of the routes with the server's build, which comes last.
    apply: (_config, { isSsrBuild, command }) => command === 'build' && isSsrBuild === true,
    closeBundle() {
      const folder = join('build', 'client', 'assets');
      for (const name of readdirSync(folder).filter((file) => /^manifest-\w+\.js$/.test(file))) {
        const file = join(folder, name);
        const manifest = shrinkManifest(readFileSync(file, 'utf8'));
        // The name of the manifest holds a hash of the entry's name, and so of the entry.
        const entry = readFileSync(join(folder, entryOf(manifest)), 'utf8');
        writeFileSync(file, manifest + entry);
      }
      for (const name of readdirSync(folder).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
        const file = join(folder, name);
        writeFileSync(`${file}.br`, compress(readFileSync(file)));
      }
    },
  };
}

/** Reduces the source maps of the server's build, which remix-serve reads. */
function shrinkSourceMaps(): Plugin {
  return {
    name: 'packwatch-shrink-source-maps',
    apply: (_config, { isSsrBuild, command }) => command === 'build' && isSsrBuild === true,
    closeBundle: () => keepLinesOfMaps(join('build', 'server')),
  };
}

/** Makes the browser's scripts smaller: without the code of Remix that our flags switch off. */
function shrinkScripts(): Plugin {
  return {
    name: 'packwatch-shrink-scripts',
    apply: (_config, { isSsrBuild, command }) => command === 'build' && isSsrBuild !== true,
    buildStart({ input }) {
      for (const id of Object.values(input).filter(isSharedEntry))
        this.emitFile({ type: 'chunk', id, preserveSignature: 'allow-extension' });
    },
    transform: (code, id) => remixInBrowser(id, code),
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // The pipeline comes before Remix, whose dev server answers every request that reaches it.
  plugins: [
    command === 'build' && denyImports({ client: { specifiers: SERVER_ONLY } }),
    tailwindcss(),
    pipelineInDevelopment(),
    remix(remixConfig),
    shrinkScripts(),
    compressAssets(),
    shrinkSourceMaps(),
  ],
  ...(command === 'build' && {
    ssr: { noExternal: [...BUNDLED_PACKAGES, '@conform-to/zod', '@conform-to/dom'] },
  }),
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  build: {
    target: 'es2022',
    // Source maps for the server build only: stack traces in the log then show our lines.
    sourcemap: isSsrBuild === true,
    // remix-serve sends all files of build/client as immutable for a year. Files of public/ keep their names when they
    // change, so remix-serve serves them from public/, with a maximum age of one hour.
    copyPublicDir: false,
    // Terser takes 5 % off React's files, which others have minified; esbuild does not.
    ...(isSsrBuild !== true && {
      minify: 'terser' as const,
      terserOptions: { module: true, compress: { passes: 3 } },
      rollupOptions: { output: { manualChunks: createChunkNames() } },
    }),
  },
}));
