import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from './process-identity.mjs';
import { ROOT } from '../project.mjs';

const REAPER = fileURLToPath(new URL('reaper.mjs', import.meta.url));
const POLL_MS = 25;
const DRAIN_MS = 2_000;
const FIRST_LINES = 10;
const LAST_LINES = 40;
const MAX_LINE_LENGTH = 2_000;

/**
 * Starts processes that cannot outlive this one. Each gets its own process group: Ctrl-C then reaches only us, so that we
 * decide the order of stopping, and a process's children end with it. A reaper process, started with the first of them,
 * cleans up if we are killed.
 */
export function ownProcesses() {
  const living = new Map();
  let reaper = null;
  let closed = false;

  function reaperInput() {
    if (reaper === null && !closed) startReaper();
    return reaper?.stdin;
  }

  function startReaper() {
    reaper = spawn(process.execPath, [REAPER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.stdin.on('error', () => {});
    reaper.once('error', () => {});
    // If the reaper is killed, start another.
    reaper.once('exit', () => {
      reaper = null;
      for (const pid of living.keys()) reaperInput()?.write(`+${pid}\n`);
    });
    reaper.unref();
    reaper.stdin.unref();
  }

  /** The reaper as `{ pid, identity }`, for a lock that must not be taken over before the reaper has cleaned up. */
  function reaperIdentity() {
    reaperInput();
    return { pid: reaper.pid, identity: processIdentity(reaper.pid) };
  }

  /**
   * `child_process.spawn` in the repository's folder. The returned child has `ended`, a promise of
   * `{ code, signal, fault }` that never rejects (`fault`: why the process could not be started).
   */
  function start(command, args, options = {}) {
    if (closed) throw new Error('cannot start a process while everything is being stopped');
    reaperInput();
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
      detached: true,
    });
    child.ended = new Promise((resolve) => {
      child.on('error', (fault) => child.pid === undefined && resolve({ code: null, signal: null, fault }));
      child.once('exit', (code, signal) => {
        signalGroup(child.pid, 'SIGKILL');
        reaperInput()?.write(`-${child.pid}\n`);
        living.delete(child.pid);
        resolve({ code, signal, fault: null });
      });
    });
    if (child.pid !== undefined) {
      reaperInput()?.write(`+${child.pid}\n`);
      living.set(child.pid, child);
    }
    return child;
  }

  /** Runs a command to its end. Resolves with `{ ok, code, signal, fault, output }` (`output`: its first and last lines). */
  async function run(command, args, { lastLines, ...options } = {}) {
    const child = start(command, args, options);
    const tail = createTail(lastLines);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text) => tail.add(text));
    }
    const drained = new Promise((resolve) => child.once('close', resolve));
    const ending = await child.ended;
    // A grandchild in its own session can keep the pipe open.
    if (ending.fault === null) await Promise.race([drained, sleep(DRAIN_MS, null, { ref: false })]);
    return { ...ending, ok: ending.code === 0, output: tail.text() };
  }

  /** Sends SIGTERM to a child and waits for its end. Kills its whole group after `graceMs`. */
  async function stop(child, graceMs) {
    if (!living.has(child.pid)) return;
    child.kill('SIGTERM');
    const late = new AbortController();
    const killed = sleep(graceMs, null, { signal: late.signal }).then(
      () => signalGroup(child.pid, 'SIGKILL'),
      () => {},
    );
    await child.ended;
    late.abort();
    await killed;
  }

  /** Stops all remaining process groups. No process can be started afterwards. */
  async function close(graceMs) {
    closed = true;
    for (const pid of living.keys()) signalGroup(pid, 'SIGTERM');
    for (const deadline = Date.now() + graceMs; living.size > 0 && Date.now() < deadline;)
      await sleep(POLL_MS);
    killAll();
    await Promise.all([...living.values()].map((child) => child.ended));
    reaper?.stdin.end();
  }

  /** Kills all remaining process groups at once. */
  function killAll() {
    for (const pid of living.keys()) signalGroup(pid, 'SIGKILL');
  }

  return { start, run, stop, close, killAll, reaperIdentity };
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

/** Keeps the first lines of a stream, which often name the cause, and the last ones (`lastLines`). */
export function createTail(lastLines = LAST_LINES) {
  const first = [];
  let last = [];
  let left = 0;
  let open = '';

  function keep(line) {
    if (first.length < FIRST_LINES) first.push(line);
    else last.push(line);
    if (last.length <= lastLines) return;
    left += last.length - lastLines;
    last = last.slice(-lastLines);
  }

  return {
    add(text) {
      const parts = (open + text).split('\n');
      open = (parts.pop() ?? '').slice(-MAX_LINE_LENGTH);
      for (const line of parts) keep(line.slice(0, MAX_LINE_LENGTH));
    },
    text: () =>
      [...first, ...(left === 0 ? [] : [`… ${left} lines …`]), ...last, ...(open === '' ? [] : [open])].join(
        '\n',
      ),
  };
}
