import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { isSameProcess, parentOf, processIdentity, programName } from '../processes/process-identity.mjs';
import { requireNodeVersion } from '../setup/node-version.mjs';
import { ownProcesses } from '../processes/owned-processes.mjs';
import { createReporter } from './progress.mjs';
import { SetupFault, describeFault } from '../setup/setup-fault.mjs';

const GRACE_MS = 2_000;
const LAUNCHER_POLL_MS = 500;
const SHELLS = new Set(['sh', 'dash', 'bash', 'zsh', 'ash', 'busybox']);
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a script: checks the Node version, prints faults as sentences, sets the exit code and leaves no process running.
 * `work` receives `{ processes, reporter, stop, stopped, onStop, atEnd }` and returns the exit code (default: 0).
 *
 * - A signal or the end of the parent process stops the script. It exits with `stoppedCode`, or with 128 + the signal's
 *   number. A second signal kills everything at once.
 * - `onStop(handler)`: called first however the script ends, so that `work` stops its processes in order. The remaining processes
 *   then have `graceMs` to end.
 * - `stop(code)` stops the script from inside; `stopped` is the AbortSignal of the stop.
 * - `atEnd(handler)`: called when every process has ended.
 * - `anyNode`: also run on a Node that is too old for the product.
 */
export async function runCommand(
  work,
  { stream = process.stdout, stoppedCode, graceMs = GRACE_MS, anyNode = false } = {},
) {
  const reporter = createReporter(stream);
  const processes = ownProcesses();
  const stopped = new AbortController();
  let stopOrderly = async () => {};
  let cleanUp = () => {};
  let stopping = null;

  const leave = async () => {
    await stopOrderly();
    await processes.close(graceMs);
    cleanUp();
  };
  const stop = (code) => {
    if (stopping === null) {
      stopped.abort();
      stopping = leave().then(() => process.exit(code));
      return;
    }
    processes.killAll();
    cleanUp();
    process.exit(code);
  };
  const onSignal = (signal) => stop(stoppedCode ?? 128 + constants.signals[signal]);
  // A closed terminal or pipe must not prevent an orderly stop.
  const onClosedOutput = () => {};

  for (const output of [process.stdout, process.stderr]) output.on('error', onClosedOutput);
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  const endWatch = watchLauncher(() => onSignal('SIGHUP'));
  try {
    if (!anyNode) requireNodeVersion();
    const onStop = (handler) => (stopOrderly = handler);
    const atEnd = (handler) => (cleanUp = handler);
    process.exitCode =
      (await work({ processes, reporter, stop, stopped: stopped.signal, onStop, atEnd })) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    // An error during the stop is a consequence of the stop.
    if (stopping === null) process.stderr.write(`\n${describeFault(error)}\n`);
  }
  await (stopping ?? leave());
  endWatch();
  for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  for (const output of [process.stdout, process.stderr]) output.off('error', onClosedOutput);
}

/** Parses the options and positional arguments of a script. Throws a `SetupFault` when an option is unknown or lacks its value. */
export function readArguments(options) {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw String(error.code).startsWith('ERR_PARSE_ARGS') ? new SetupFault(error.message) : error;
  }
}

/**
 * Calls `onGone` once when the parent can no longer stop us: the other end of an IPC channel has closed, or npm (or its
 * shell) was killed without forwarding a signal. A command with neither may outlive its shell, as with nohup. Returns a
 * function that ends the watch.
 */
function watchLauncher(onGone) {
  if (process.channel !== undefined) {
    process.once('disconnect', onGone);
    process.channel.unref();
  }
  const launchers = process.env.npm_lifecycle_event === undefined ? [] : npmProcesses();
  const timer = setInterval(() => {
    if (launchers.every(isSameProcess)) return;
    clearInterval(timer);
    onGone();
  }, LAUNCHER_POLL_MS);
  timer.unref();
  return () => {
    process.off('disconnect', onGone);
    clearInterval(timer);
  };
}

// npm runs a script through a shell, and some shells stay alive in between.
function npmProcesses() {
  const found = [];
  for (let pid = process.ppid; pid !== null && pid > 1; pid = parentOf(pid)) {
    found.push({ pid, identity: processIdentity(pid) });
    if (!SHELLS.has(programName(pid))) break;
  }
  return found;
}
