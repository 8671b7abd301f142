import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, processIdentity } from './process-identity.mjs';
import { runDirectory } from '../project.mjs';

const GRACE_MS = 3_000;
const POLL_MS = 50;

/** Records the processes of a data folder, so that a later run can end them even if the reaper was killed. */
export function recordProcesses(dataDir, pids) {
  const file = recordFile(dataDir);
  const recorded = Object.entries(pids).map(([name, pid]) => ({ name, pid, identity: processIdentity(pid) }));
  mkdirSync(runDirectory(dataDir), { recursive: true });
  writeFileSync(`${file}.draft`, JSON.stringify(recorded));
  renameSync(`${file}.draft`, file);
}

/** Removes the record. */
export function clearProcessRecord(dataDir) {
  rmSync(recordFile(dataDir), { force: true });
}

/** Ends the processes that an earlier run left running. Returns their names. */
export async function endLeftovers(dataDir) {
  const left = readRecorded(dataDir).filter(isSameProcess);
  const signalAll = (signal) => left.filter(isSameProcess).forEach(({ pid }) => signalGroup(pid, signal));
  signalAll('SIGTERM');
  for (const deadline = Date.now() + GRACE_MS; left.some(isSameProcess) && Date.now() < deadline;)
    await sleep(POLL_MS);
  signalAll('SIGKILL');
  while (left.some(isSameProcess)) await sleep(POLL_MS);
  clearProcessRecord(dataDir);
  return left.map(({ name }) => name);
}

function readRecorded(dataDir) {
  try {
    return JSON.parse(readFileSync(recordFile(dataDir), 'utf8'));
  } catch {
    return [];
  }
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended between the check and the signal.
  }
}

function recordFile(dataDir) {
  return join(runDirectory(dataDir), 'processes.json');
}
