/** `npm run build`: web and daemon for production. `--force` builds even when nothing changed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleEntries } from './bundle-entries.mjs';
import { runCommand } from './command.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { waitForLock } from './lock-file.mjs';
import { BUILD, ROOT } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';
import { hashSources, isTest } from './source-hash.mjs';

const LOCK = join(ROOT, '.cache', 'build.lock');

/**
 * What is built, from which sources, and by which command, in this order: Remix empties build/ first. A part's
 * stamp says which state of the sources its output shows.
 */
const PARTS = {
  web: {
    label: 'Building the web app',
    sources: [
      'app',
      'shared',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'vite.config.ts',
      'remix.config.js',
    ],
    output: () => [join(BUILD, 'server', 'index.js'), join(BUILD, 'client')],
    command: () => [
      process.execPath,
      [join(ROOT, 'node_modules', '@remix-run', 'dev', 'dist', 'cli.js'), 'vite:build'],
    ],
  },
  daemon: {
    label: 'Building the daemon',
    sources: [
      'daemon',
      'shared',
      'migrations',
      'sandbox',
      'tests/bench',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'scripts/bundle.mjs',
      'scripts/bundle-entries.mjs',
    ],
    output: () => bundleEntries().map(([name]) => join(BUILD, `${name}.js`)),
    command: () => [process.execPath, [join(ROOT, 'scripts', 'bundle.mjs')]],
  },
};

/** Builds the named parts (`daemon`, `web`) whose sources changed since they were last built. */
export async function ensureBuilt(parts, { processes, reporter, force = false }) {
  if (!force && parts.every(isFresh)) return;
  const lock = await waitForLock(LOCK, {
    details: { reaper: processes.reaperIdentity() },
    onWait: (holder) => reporter.say(`• Waiting for process ${holder.pid}, which is building …`),
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
  const [program, args] = command();
  await reporter.during(label, async () => {
    const result = await processes.run(program, args, { env: { ...process.env, NODE_ENV: 'production' } });
    if (result.ok) return;
    throw new SetupFault(`${label} failed.`, {
      log: result.output,
      advice: ['Mend what the lines above name, then run the command again.'],
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(async ({ processes, reporter }) => {
    await ensureDependencies({ processes, reporter });
    await ensureBuilt(['web', 'daemon'], { processes, reporter, force: process.argv.includes('--force') });
    reporter.say('✓ build/ is up to date.');
  });
}
