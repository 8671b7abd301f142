import { constants } from 'node:os';
import { watchLauncher } from '../processes/launcher.mjs';
import { requireNodeVersion } from '../setup/node-version.mjs';
import { ownProcesses } from '../processes/owned-processes.mjs';
import { createReporter } from './progress.mjs';
import { describeFault } from '../setup/setup-fault.mjs';

const GRACE_MS = 2_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Frame of a set-up command: right Node, faults as sentences, exit codes, and nothing left running. `work`
 * gets `{ processes, reporter, stop, stopped, onStop, atEnd }` and returns the exit code (nothing: 0).
 *
 * A signal, or the end of the process that started us, ends the command with `stoppedCode`, else the usual 128 + the
 * signal's number. `onStop(handler)` lets `work` stop in its own order first, on every way out; a second
 * signal no longer waits for that. What is left then has `graceMs` to end. `stop(code)` begins the same from
 * inside; `stopped` is an AbortSignal for it; `atEnd(handler)` is called when every process has ended.
 * `anyNode`: the command also runs on a Node that is too old for the product.
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
  // A closed terminal or pipe must not keep us from stopping in order.
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
    // A failure during the stop is caused by the stop.
    if (stopping === null) process.stderr.write(`\n${describeFault(error)}\n`);
  }
  await (stopping ?? leave());
  endWatch();
  for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  for (const output of [process.stdout, process.stderr]) output.off('error', onClosedOutput);
}
