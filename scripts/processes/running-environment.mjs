import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';
import { isSameProcess, processIdentity } from './process-identity.mjs';
import { ROOT, dataDirectory, runDirectory } from '../project.mjs';

/** Reads `.env` at the repository's top into `process.env`, where what is set already wins. */
export function loadDotEnv() {
  const file = join(ROOT, '.env');
  if (existsSync(file)) loadEnvFile(file);
}

/** Notes for other terminals what a running `npm start` decided; the file goes with `removeRunningEnvironment`. */
export function writeRunningEnvironment(dataDir, environment) {
  const file = fileIn(dataDir);
  mkdirSync(runDirectory(dataDir), { recursive: true });
  const content = { pid: process.pid, identity: processIdentity(process.pid), environment };
  writeFileSync(`${file}.draft`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.draft`, file);
}

export function removeRunningEnvironment(dataDir) {
  rmSync(fileIn(dataDir), { force: true });
}

/** What the living `npm start` of this data folder decided; empty when none runs. */
export function readRunningEnvironment(dataDir) {
  try {
    const noted = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
    return isSameProcess(noted) ? noted.environment : {};
  } catch {
    return {};
  }
}

/**
 * The environment of a command beside a running `npm start`: what is set in `given` wins over what the run
 * decided. An empty value counts as unset, as it does for the product.
 */
export function besideRunning(given, running) {
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== '');
  return { ...running, ...Object.fromEntries(set) };
}

/** Merges into `process.env`: what was set, then `.env`, then the running `npm start`'s decisions. */
export function adoptRunningEnvironment() {
  loadDotEnv();
  Object.assign(process.env, besideRunning(process.env, readRunningEnvironment(dataDirectory(process.env))));
}

function fileIn(dataDir) {
  return join(runDirectory(dataDir), 'environment.json');
}
