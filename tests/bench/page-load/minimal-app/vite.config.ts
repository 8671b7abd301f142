import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';
import remixConfig from '../../../../remix.config.js';

/** The product's own future flags, and Remix's own way to render. BENCH_MINIMAL_BUILD: where the build goes. */
export default defineConfig({
  // Not the product's `jsxImportSource`, which tsconfig.json names.
  esbuild: { jsxImportSource: 'react' },
  plugins: [
    remix({
      buildDirectory: process.env.BENCH_MINIMAL_BUILD ?? 'build',
      future: { ...remixConfig.future, v3_routeConfig: false },
    }),
  ],
});
