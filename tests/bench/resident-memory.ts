import { readFileSync } from 'node:fs';

/** The resident memory of a process in MiB. */
export function residentMiB(pid: number | undefined): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(line) / 1024);
}
