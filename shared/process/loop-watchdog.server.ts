import { Worker } from 'node:worker_threads';
import { SECOND } from '../clock';

/** A loop that has been blocked for this long does not recover. */
const LIMIT_MS = 20 * SECOND;
const BEATS_PER_LIMIT = 40;
const STACK_WAIT_MS = SECOND;
const STACK_FRAMES = 20;

/** Position in the shared memory. */
const BEATS = 0;

interface WatchdogOptions {
  /** Names the process in the log line. */
  part: string;
  /** Default: 20 seconds. */
  limitMs?: number;
}

/**
 * Kills this process when its event loop has been blocked for `limitMs`, so that the process manager restarts it. A
 * thread watches heartbeats of the loop, because nothing in a blocked loop can run. Before that, it synchronously logs
 * the loop's call stack. The thread counts its own turns instead of reading a clock, because both stand still while the
 * machine sleeps or the process is stopped by a signal. A process that a debugger has paused is not killed.
 */
export function startLoopWatchdog({ part, limitMs = LIMIT_MS }: WatchdogOptions) {
  const beatMs = limitMs / BEATS_PER_LIMIT;
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beat = (): void => void Atomics.add(state, BEATS, 1);
  beat();
  const timer = setInterval(beat, beatMs).unref();
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { state, part, limitMs, beatMs, BEATS, STACK_WAIT_MS, STACK_FRAMES },
    // Without the options of the process, such as a larger heap.
    execArgv: [],
    env: {},
    // V8's inspector lists every script of the process to the thread before it answers.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  // The process works without it.
  worker.on('error', () => clearInterval(timer));
}

/** A string instead of a file, because web and daemon are built by different bundlers. */
const PROGRAM = `
const { writeSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { state, part, limitMs, beatMs, BEATS, STACK_WAIT_MS, STACK_FRAMES } = workerData;

let seen = null;
let still = 0;
setInterval(() => {
  const beats = Atomics.load(state, BEATS);
  // A turn counts once however late it is.
  still = beats === seen ? still + 1 : 0;
  seen = beats;
  if (still * beatMs < limitMs) return;
  still = 0;
  readStack((stack, isDebugged) => {
    if (isDebugged) return;
    writeLine(stack);
    // A loop that waits for the reader of the log continues when this line is read.
    if (Atomics.load(state, BEATS) === seen) process.kill(process.pid, 'SIGKILL');
  });
}, beatMs);

/** The functions that the loop is in, and whether a debugger paused it. V8 interrupts all but native code. */
function readStack(report) {
  const { Session } = require('node:inspector');
  const session = new Session();
  let reported = false;
  let asked = false;
  const end = (stack, isDebugged = false) => {
    if (reported) return;
    reported = true;
    clearTimeout(late);
    report(stack, isDebugged);
    session.disconnect();
  };
  const late = setTimeout(end, STACK_WAIT_MS, null);
  try {
    session.connectToMainThread();
    // A loop that is paused already says so before it answers the first message.
    session.on('Debugger.paused', ({ params }) =>
      end(params.callFrames.slice(0, STACK_FRAMES).map(frameOf), !asked),
    );
    session.post('Debugger.enable', () => {
      asked = true;
      if (!reported) session.post('Debugger.pause');
    });
  } catch {
    end(null);
  }
}

function frameOf({ functionName, url, location }) {
  return (functionName || 'anonymous') + ' (' + url + ':' + (location.lineNumber + 1) + ')';
}

function writeLine(stack) {
  const line = {
    level: 'fatal',
    time: new Date().toISOString(),
    part,
    pid: process.pid,
    running: stack ?? 'native code',
    msg: 'the event loop has stood still for ' + limitMs / 1000 + ' s: this process ends, to be started again',
  };
  try {
    writeSync(1, JSON.stringify(line) + '\\n');
  } catch {
    // The reader of the log is gone.
  }
}
`;
