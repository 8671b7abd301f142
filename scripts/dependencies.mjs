import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitForLock } from './lock-file.mjs';
import { ROOT } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';

const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.packwatch-installed');
const LOCK = join(ROOT, '.cache', 'install.lock');

/** Installs what package-lock.json names unless exactly that is installed for this Node already. */
export async function ensureDependencies({ processes, reporter }) {
  if (isInstalled()) return;
  const lock = await waitForLock(LOCK, {
    details: { reaper: processes.reaperIdentity() },
    onWait: (holder) =>
      reporter.say(`• Waiting for process ${holder.pid}, which is installing dependencies …`),
  });
  try {
    if (isInstalled()) return;
    if (await adoptInstalled(processes)) return;
    rmSync(STAMP, { force: true });
    await reporter.during('Installing dependencies (a minute or two, once)', () => installWithNpm(processes));
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

// Compiled packages fit one Node ABI on one system only.
function wantedStamp() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  return [lock, process.platform, process.arch, process.versions.modules].join(' ');
}

// Somebody may have run npm by hand. npm notes what it installed; if that agrees with the lock file and the one
// compiled package loads, an installation of minutes is spared.
async function adoptInstalled(processes) {
  if (!existsSync(MODULES)) return false;
  let noted;
  try {
    noted = JSON.parse(readFileSync(join(MODULES, '.package-lock.json'), 'utf8'));
  } catch {
    return false;
  }
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  if (!sameVersions(wanted.packages, noted.packages ?? {})) return false;
  const opened = await processes.run(process.execPath, [
    '-e',
    "new (require('better-sqlite3'))(':memory:').close()",
  ]);
  if (opened.ok) writeFileSync(STAMP, wantedStamp());
  return opened.ok;
}

/** Whether what npm noted as installed covers the lock file; packages for other systems may be missing. */
export function sameVersions(wanted, installed) {
  const required = Object.entries(wanted).filter(([path]) => path !== '');
  return (
    required.every(([path, entry]) =>
      installed[path] === undefined ? entry.optional === true : installed[path].version === entry.version,
    ) && Object.keys(installed).every((path) => wanted[path] !== undefined)
  );
}

async function installWithNpm(processes) {
  const [command, ...first] = npmCommand();
  // The tools that build are development dependencies, which npm leaves out when NODE_ENV says production.
  const result = await processes.run(
    command,
    [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'],
    {
      env: { ...process.env, ...headersOfThisNode() },
    },
  );
  if (!result.ok) throw installFault(result);
}

/** npm as a command line: the one that runs us, else the one on the PATH. */
function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js') && existsSync(script) ? [process.execPath, script] : ['npm'];
}

// better-sqlite3 is compiled; with the headers that came with Node that works without a network.
function headersOfThisNode() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
}

function installFault({ output, fault }) {
  if (fault?.code === 'ENOENT') {
    return new SetupFault('npm is not on the PATH.', {
      advice: ['Install npm (it comes with Node), then run the command again.'],
    });
  }
  const advice = ['Nothing is half done: run the command again once the cause above is gone.'];
  if (/EUSAGE/.test(output)) {
    advice.unshift(
      'package.json and package-lock.json disagree: run npm install, look at what changed, and commit both.',
    );
  }
  if (/gyp ERR|node-gyp/.test(output)) {
    advice.unshift(
      'better-sqlite3 is compiled: it needs make, a C++ compiler and Python 3 (Debian: build-essential python3).',
    );
  }
  if (/EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET/.test(output)) {
    advice.unshift("The package registry could not be reached: check the network and npm's proxy settings.");
  }
  return new SetupFault('The dependencies could not be installed (npm ci failed).', { advice, log: output });
}
