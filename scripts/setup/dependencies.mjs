import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../processes/lock-file.mjs';
import { npmCommand } from './npm-package.mjs';
import { ROOT } from '../project.mjs';
import { SetupFault } from './setup-fault.mjs';

const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.packwatch-installed');
const LOCK = join(ROOT, '.cache', 'install.lock');

/** Installs the packages of package-lock.json, unless exactly these are installed. */
export async function ensureDependencies({ processes, reporter }) {
  if (isInstalled()) return;
  const lock = await waitForLock(LOCK, {
    details: { reaper: processes.reaperIdentity() },
    onWait: (holder) =>
      reporter.print(`• Waiting for process ${holder.pid}, which is installing dependencies …`),
  });
  try {
    if (isInstalled()) return;
    if (adoptInstalled()) return;
    rmSync(STAMP, { force: true });
    await reporter.runStep('Installing dependencies (once)', () => installWithNpm(processes));
    writeFileSync(STAMP, wantedStamp());
  } finally {
    lock.release();
  }
}

function isInstalled() {
  try {
    return readFileSync(STAMP, 'utf8') === wantedStamp();
  } catch {
    return false;
  }
}

// Native packages depend on the system but not on the Node version, because they use Node-API.
function wantedStamp() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  return [lock, process.platform, process.arch].join(' ');
}

// A user may have run npm. If npm's record of the installed packages matches the lock file, there is nothing to install.
function adoptInstalled() {
  let recorded;
  try {
    recorded = JSON.parse(readFileSync(join(MODULES, '.package-lock.json'), 'utf8'));
  } catch {
    return false;
  }
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  if (!sameVersions(wanted.packages, recorded.packages ?? {})) return false;
  writeFileSync(STAMP, wantedStamp());
  return true;
}

/**
 * Whether the installed packages match the lock file. Those for other systems may be missing, and those that only an absent
 * workspace needs: the container is built without the sandbox. `isThere(folder)`: whether a workspace is here.
 */
export function sameVersions(wanted, installed, isThere = (folder) => existsSync(join(ROOT, folder))) {
  return (
    listNeeded(wanted, isThere).every((path) =>
      installed[path] === undefined
        ? wanted[path].optional === true
        : installed[path].version === wanted[path].version,
    ) && Object.keys(installed).every((path) => wanted[path] !== undefined)
  );
}

/** The paths of the packages that the project and its present workspaces need, by the lock file. */
function listNeeded(wanted, isThere) {
  const workspaces = Object.values(wanted).filter(({ link, resolved }) => link === true && isThere(resolved));
  const reached = new Set(['', ...workspaces.map(({ resolved }) => resolved)]);
  for (const path of reached) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = wanted[path];
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(all)) {
      const found = findPackage(wanted, { name, from: path });
      if (found !== null) reached.add(found);
    }
  }
  return [...reached].filter((path) => path.includes('node_modules/') && wanted[path].link !== true);
}

/** Where Node finds a package: in the nearest `node_modules`. Null for an optional peer that is not installed. */
function findPackage(wanted, { name, from }) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (wanted[path] !== undefined) return path;
    if (folder === '') return null;
  }
}

async function installWithNpm(processes) {
  const [command, ...first] = npmCommand();
  // The build tools are development dependencies, which npm omits when NODE_ENV is production.
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];
  const result = await processes.run(command, [...first, 'ci', ...options]);
  if (!result.ok) throw installFault(result);
}

function installFault({ output, fault }) {
  if (fault?.code === 'ENOENT') {
    return new SetupFault('npm is not on the PATH.', {
      advice: ['Install npm (it comes with Node), then run the command again.'],
    });
  }
  const advice = ['Fix the cause above, then run the command again.'];
  if (/EUSAGE/.test(output)) {
    advice.unshift(
      'package.json and package-lock.json disagree: run npm install, look at what changed, and commit both.',
    );
  }
  if (/EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET/.test(output)) {
    advice.unshift("The package registry could not be reached: check the network and npm's proxy settings.");
  }
  return new SetupFault('The dependencies could not be installed (npm ci failed).', { advice, log: output });
}
