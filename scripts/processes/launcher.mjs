import { isSameProcess, parentOf, processIdentity, programName } from './process-identity.mjs';

const POLL_MS = 500;
const SHELLS = new Set(['sh', 'dash', 'bash', 'zsh', 'ash', 'busybox']);

/**
 * Calls `onGone` once when the process that started us can no longer stop us: the process at the other end of
 * an IPC channel, or an npm (and its shell) that was killed without passing a signal on. A command started
 * without either may outlive its shell, as with nohup. Returns a function that ends the watch.
 */
export function watchLauncher(onGone) {
  if (process.channel !== undefined) {
    process.once('disconnect', onGone);
    process.channel.unref();
  }
  const launchers = process.env.npm_lifecycle_event === undefined ? [] : npmProcesses();
  const timer = setInterval(() => {
    if (launchers.every(isSameProcess)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => {
    process.off('disconnect', onGone);
    clearInterval(timer);
  };
}

// npm runs a script through a shell, which some shells stay in between.
function npmProcesses() {
  const found = [];
  for (let pid = process.ppid; pid !== null && pid > 1; pid = parentOf(pid)) {
    found.push({ pid, identity: processIdentity(pid) });
    if (!SHELLS.has(programName(pid))) break;
  }
  return found;
}
