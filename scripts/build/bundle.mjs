/** `node scripts/build/bundle.mjs PART`: bundles a part into build/. ensure-built.mjs runs it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUILD, ROOT } from '../project.mjs';
import { BUNDLED_PACKAGES } from './bundled-packages.mjs';
import { bundleEntries } from './bundle-entries.mjs';
import { keepLinesOfMaps } from './line-maps.mjs';

const [part = ''] = process.argv.slice(2);

/** Replaces `packages: 'external'` for these. */
const bundlePackages = {
  name: 'packwatch-bundle-packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^(?:${BUNDLED_PACKAGES.join('|')})$`) }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    })),
};

rmSync(join(BUILD, part), { recursive: true, force: true });

const building = build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries(bundleEntries(part)),
  outdir: BUILD,
  bundle: true,
  packages: 'external',
  plugins: [bundlePackages],
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: true,
  logLevel: 'info',
});

try {
  await building;
  keepLinesOfMaps(join(BUILD, part));
} catch (error) {
  // esbuild prints its errors itself.
  if (!Array.isArray(error?.errors)) throw error;
  process.exitCode = 1;
}
