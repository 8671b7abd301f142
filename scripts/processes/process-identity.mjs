import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

// Positions of fields in proc_pid_stat(5), counted from its third field.
const STATE = 0;
const PARENT = 1;
const START_TICKS = 19;

/** The start time of a process; null when it does not run. The pid alone is no identity: the system reuses it. */
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
    return readPs(pid, 'lstart') || null;
  } catch {
    return null;
  }
}

/** Whether the process that was recorded as `{ pid, identity }` still runs. */
export function isSameProcess(recorded) {
  return typeof recorded?.identity === 'string' && processIdentity(recorded.pid) === recorded.identity;
}

/** The parent's id, or null when the process is gone. */
export function parentOf(pid) {
  try {
    return process.platform === 'linux' ? Number(statFields(pid)[PARENT]) : Number(readPs(pid, 'ppid'));
  } catch {
    return null;
  }
}

/** The file name of a process's program, or an empty string when the process is gone. */
export function programName(pid) {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      : basename(readPs(pid, 'comm'));
  } catch {
    return '';
  }
}

function readPs(pid, field) {
  return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

// The second field is the command in brackets, which can contain spaces and brackets. The fields start after the last one.
function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
