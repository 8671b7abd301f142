import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitForLock } from '../processes/lock-file.mjs';
import { BUILD, ROOT, SELDOM_COLLECTING } from '../project.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';
import { bundleEntries } from './bundle-entries.mjs';
import { createHash } from 'node:crypto';

/** Hashes the names and contents of files and folders below `root`; a missing path is empty. `skip(path)` excludes files. */
export function hashSources(root, paths, skip = () => false) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of listFiles(root, path)) {
      if (skip(file)) continue;
      hash.update(`${file}\0`).update(
        createHash('sha256')
          .update(readFileSync(join(root, file)))
          .digest(),
      );
    }
  }
  return hash.digest('hex');
}

/** Whether a file holds tests. Tests are not built, so their changes need no build. */
export function isTest(path) {
  return /\.test\.[a-z]+$/.test(path);
}

function listFiles(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(root, join(path, name)));
}

const LOCK = join(ROOT, '.cache', 'build.lock');
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * The parts with their sources and build commands. `web` comes first, because Remix empties build/. A part's stamp file
 * holds the hash of the sources that it was built from.
 */
const PARTS = {
  web: {
    label: 'Building the web app',
    sources: [
      'app',
      'shared',
      'docs/api.md',
      'vite.config.ts',
      'remix.config.js',
      'scripts/build',
      ...SETTINGS,
    ],
    output: () => [join(BUILD, 'server', 'index.js'), join(BUILD, 'client')],
    command: () => [
      ...SELDOM_COLLECTING,
      join(ROOT, 'node_modules', '@remix-run', 'dev', 'dist', 'cli.js'),
      'vite:build',
    ],
  },
  daemon: bundlePart('daemon', 'Building the daemon', ['daemon', 'shared', 'migrations']),
  sandbox: bundlePart('sandbox', 'Building the sandbox', ['sandbox']),
  bench: bundlePart('bench', 'Building the benchmark', [
    'tests',
    'daemon',
    'shared',
    'migrations',
    'sandbox',
  ]),
};

/** The parts that run in production. */
export const PRODUCT_PARTS = ['web', 'daemon'];

function bundlePart(name, label, sources) {
  return {
    label,
    sources: [...sources, 'scripts/build', ...SETTINGS],
    output: () => bundleEntries(name).map(([output]) => join(BUILD, `${output}.js`)),
    command: () => [join(ROOT, 'scripts', 'build', 'bundle.mjs'), name],
  };
}

/** Builds those of the named parts whose sources have changed. `force` builds all of them. Throws a `SetupFault` for an unknown name. */
export async function ensureBuilt(parts, { processes, reporter, force = false }) {
  const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part));
  if (unknown.length > 0)
    throw new SetupFault(`There is no part ${unknown.join(', ')}. Use: ${Object.keys(PARTS).join(', ')}.`);
  if (!force && parts.every(isFresh)) return;
  const lock = await waitForLock(LOCK, {
    details: { reaper: processes.reaperIdentity() },
    onWait: (holder) => reporter.print(`• Waiting for process ${holder.pid}, which is building …`),
  });
  try {
    for (const part of Object.keys(PARTS)) {
      if (parts.includes(part) && (force || !isFresh(part))) await build(part, { processes, reporter });
    }
  } finally {
    lock.release();
  }
}

async function build(part, { processes, reporter }) {
  const { label, command } = PARTS[part];
  const stamp = stampFile(part);
  // An interrupted build leaves no stamp, so the next one starts over.
  rmSync(stamp, { force: true });
  const hash = sourceHash(part);
  await reporter.runStep(label, async () => {
    const result = await processes.run(process.execPath, command(), {
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (result.ok) return;
    throw new SetupFault(`${label} failed.`, {
      log: result.output,
      advice: ['Fix the errors above, then run the command again.'],
    });
  });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

function isFresh(part) {
  try {
    return (
      readFileSync(stampFile(part), 'utf8') === sourceHash(part) &&
      PARTS[part].output().every((path) => existsSync(path))
    );
  } catch {
    return false;
  }
}

function stampFile(part) {
  return join(BUILD, '.stamps', part);
}

function sourceHash(part) {
  return hashSources(ROOT, PARTS[part].sources, isTest);
}
