import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Whether the installed packages match the lock file. Those for other systems and workspaces may be missing. */
export function sameVersions(wanted, installed) {
  const required = Object.entries(wanted).filter(
    ([path, entry]) => path.includes('node_modules/') && entry.link !== true,
  );
  return (
    required.every(([path, entry]) =>
      installed[path] === undefined ? entry.optional === true : installed[path].version === entry.version,
    ) && Object.keys(installed).every((path) => wanted[path] !== undefined)
  );
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
