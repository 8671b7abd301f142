import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import remixConfig from './remix.config.js';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), remix(remixConfig)],
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
