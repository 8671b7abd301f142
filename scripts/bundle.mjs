/** Bundles daemon, command line tools and sandbox into build/. Run by build.mjs once dependencies exist. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleEntries } from './bundle-entries.mjs';
import { BUILD, ROOT } from './project.mjs';

for (const folder of ['daemon', 'sandbox', 'bench'])
  rmSync(join(BUILD, folder), { recursive: true, force: true });

const building = build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries(bundleEntries()),
  outdir: BUILD,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: true,
  logLevel: 'info',
});

// esbuild has said what is wrong; its stack adds nothing.
await building.catch(() => (process.exitCode = 1));
