import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';
import { isSameProcess, processIdentity } from './process-identity.mjs';
import { ROOT, dataDirectory, runDirectory } from '../project.mjs';

/** Loads the repository's `.env` into `process.env`. Variables that are already set take precedence. */
export function loadDotEnv() {
  const file = join(ROOT, '.env');
  if (existsSync(file)) loadEnvFile(file);
}

/** Stores the variables of a running `npm start` for commands in other terminals. */
export function writeRunningEnvironment(dataDir, environment) {
  const file = filePath(dataDir);
  mkdirSync(runDirectory(dataDir), { recursive: true });
  const content = { pid: process.pid, identity: processIdentity(process.pid), environment };
  writeFileSync(`${file}.draft`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.draft`, file);
}

export function removeRunningEnvironment(dataDir) {
  rmSync(filePath(dataDir), { force: true });
}

/** The variables of the running `npm start` of this data folder, or none if it does not run. */
export function readRunningEnvironment(dataDir) {
  try {
    const recorded = JSON.parse(readFileSync(filePath(dataDir), 'utf8'));
    return isSameProcess(recorded) ? recorded.environment : {};
  } catch {
    return {};
  }
}

/** The environment of a command beside `npm start`: `given` takes precedence. An empty value counts as unset. */
export function besideRunning(given, running) {
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== '');
  return { ...running, ...Object.fromEntries(set) };
}

/** Completes `process.env`: the variables that are set, then `.env`, then those of the running `npm start`. */
export function adoptRunningEnvironment() {
  loadDotEnv();
  Object.assign(process.env, besideRunning(process.env, readRunningEnvironment(dataDirectory(process.env))));
}

function filePath(dataDir) {
  return join(runDirectory(dataDir), 'environment.json');
}
