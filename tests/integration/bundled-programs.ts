import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface BundledPrograms {
  /** The bundle of a source file, such as `daemon/main.ts`. */
  fileOf(source: string): string;
  remove(): void;
}

/**
 * Bundles programs as the build does, so that a test starts processes quickly and never runs a stale build. The bundles
 * are below node_modules, so that imports of packages resolve.
 */
export async function bundlePrograms(sources: readonly string[]): Promise<BundledPrograms> {
  const folder = join(ROOT, 'node_modules', '.cache', `packwatch-tests-${randomBytes(6).toString('hex')}`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources],
    outdir: folder,
    outbase: ROOT,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    logLevel: 'error',
  });
  return {
    fileOf: (source) => join(folder, source.replace(/\.ts$/, '.js')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
