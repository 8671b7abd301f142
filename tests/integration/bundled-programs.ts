import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { inject } from 'vitest';
import { bundleEntries } from '../../scripts/build/bundle-entries.mjs';
import { newBundleFolder, ROOT } from './bundle-folder';

/** The programs of the daemon's build, as paths below the root. */
const DAEMON_PROGRAMS = bundleEntries('daemon').map(([, file = '']) => relative(ROOT, file));

/** Packages with native code, or with threads that load their files by name. */
const EXTERNAL = ['better-sqlite3', 'msgpackr-extract', 'pino', 'pino-pretty', 'sharp'];

/** What bundled CommonJS packages expect in their scope. */
const COMMONJS = [
  "import * as bundledModule from 'node:module';",
  "import * as bundledPath from 'node:path';",
  'const require = bundledModule.createRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = bundledPath.dirname(__filename);',
].join('\n');

export interface BundledPrograms {
  /** The bundle of a source file, such as `daemon/main.ts`. */
  fileOf(source: string): string;
  remove(): void;
}

async function bundle(sources: readonly string[], outdir: string, options: BuildOptions): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources],
    outdir,
    outbase: ROOT,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    logLevel: 'error',
    ...options,
  });
}

/**
 * Bundles the daemon's programs with their packages, which halves the processor time of a start, once for all test files
 * of a run.
 */
async function bundleDaemon(): Promise<string> {
  const folder = inject('daemonBundles');
  if (existsSync(folder)) return folder;
  const ours = newBundleFolder();
  await bundle(DAEMON_PROGRAMS, ours, {
    external: EXTERNAL,
    splitting: true,
    banner: { js: COMMONJS },
  });
  try {
    renameSync(ours, folder);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(folder)) throw error;
    rmSync(ours, { recursive: true });
  }
  return folder;
}

/** Bundles programs as they are now, so that a test starts processes quickly and never runs a stale build. */
export async function bundlePrograms(sources: readonly string[]): Promise<BundledPrograms> {
  const areShared = sources.every((source) => DAEMON_PROGRAMS.includes(source));
  const folder = areShared ? await bundleDaemon() : newBundleFolder();
  if (!areShared) await bundle(sources, folder, { packages: 'external' });
  return {
    fileOf: (source) => join(folder, source.replace(/\.ts$/, '.js')),
    remove: () => {
      if (!areShared) rmSync(folder, { recursive: true, force: true });
    },
  };
}
