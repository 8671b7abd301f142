import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

// Positions in what proc_pid_stat(5) lists from its third field on.
const STATE = 0;
const PARENT = 1;
const START_TICKS = 19;

/**
 * When a process started, as text that differs for every process that ever had this id, or null when no
 * such process runs. A process id alone is not enough: after a crash the system hands it out again.
 */
export function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (process.platform === 'linux') {
    try {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const fields = statFields(pid);
      return fields[STATE] === 'Z' || fields[STATE] === 'X' ? null : `${boot}:${fields[START_TICKS]}`;
    } catch {
      return null;
    }
  }
  try {
    return askPs(pid, 'lstart') || null;
  } catch {
    return null;
  }
}

/** Whether the process that was noted down as `{ pid, identity }` still runs. */
export function isSameProcess(noted) {
  return typeof noted?.identity === 'string' && processIdentity(noted.pid) === noted.identity;
}

/** The parent's id, or null when the process is gone. */
export function parentOf(pid) {
  try {
    return process.platform === 'linux' ? Number(statFields(pid)[PARENT]) : Number(askPs(pid, 'ppid'));
  } catch {
    return null;
  }
}

/** The file name of the program that a process runs, empty when the process is gone. */
export function programName(pid) {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      : basename(askPs(pid, 'comm'));
  } catch {
    return '';
  }
}

function askPs(pid, field) {
  return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

// The second field is the command in brackets and may hold spaces and brackets; counting starts after the last one.
function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
