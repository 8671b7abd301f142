/**
 * Ends a command's children when the command cannot, for example after `kill -9`. Reads `+PID` and `-PID` lines from
 * standard input. When standard input closes, the command has ended: the reaper then stops and kills the process groups
 * that are still listed.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 3_000;
const POLL_MS = 50;

const groups = new Set();
let unread = '';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) {
  const lines = (unread + chunk).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line.startsWith('+')) groups.add(pid);
    else groups.delete(pid);
  }
}

signalAll('SIGTERM');
for (const deadline = Date.now() + GRACE_MS; groups.size > 0 && Date.now() < deadline; signalAll(0))
  await sleep(POLL_MS);
signalAll('SIGKILL');

function signalAll(signal) {
  for (const pid of groups) {
    try {
      process.kill(-pid, signal);
    } catch {
      groups.delete(pid);
    }
  }
}
