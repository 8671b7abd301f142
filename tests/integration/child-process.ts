import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  pid: number;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended>;
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /** Steps the child's wall clock by `ms`; needs the option `settableClock`. */
  setClock(ms: number): void;
  /** Closes the IPC channel, as the death of the parent does. */
  disconnect(): void;
}

export interface ChildOptions {
  /** The file size limit in bytes: a larger write fails, as on a full disk. */
  largestFile?: number | undefined;
  /** Enables `setClock`. */
  settableClock?: boolean | undefined;
  /** How far the child's wall clock is ahead from the start; enables `setClock` as well. */
  clockAheadMs?: number | undefined;
}

/** Runs a program of `daemon/cli`: its arguments are the bundled program and those of the command. */
export const RUN_TOOL = fileURLToPath(new URL('../../scripts/processes/run-tool.mjs', import.meta.url));

const SETTABLE_DATE = new URL('settable-date.mjs', import.meta.url).href;

/** The unit of `ulimit -f` in POSIX. */
const BLOCK_BYTES = 512;

/** Starts `node ARGS` with this environment, the PATH and the compile cache alone. */
export function startChild(
  args: readonly string[],
  environment: Record<string, string>,
  { largestFile, clockAheadMs, settableClock = clockAheadMs !== undefined }: ChildOptions = {},
): Child {
  const blocks = Math.ceil((largestFile ?? 0) / BLOCK_BYTES);
  const limited = ['sh', '-c', `ulimit -f ${blocks} && exec "$0" "$@"`];
  const [command = '', ...rest] = [
    ...(largestFile === undefined ? [] : limited),
    process.execPath,
    ...(settableClock ? ['--import', SETTABLE_DATE] : []),
    ...args,
  ];
  const child = spawn(command, rest, {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...(clockAheadMs !== undefined && { CLOCK_AHEAD_MS: String(clockAheadMs) }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let out = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const read = [child.stdout, child.stderr].map(
    (stream) => new Promise((resolve) => stream?.once('close', resolve)),
  );
  // Not `close`: it is never emitted after `disconnect`.
  const exited = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ended = exited.then(async (how) => {
    await Promise.all(read);
    return how;
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => errors,
    ended,
    kill(signal) {
      child.kill(signal);
      return ended;
    },
    signal: (signal) => void child.kill(signal),
    setClock: (ms) => void child.send({ setClockMs: ms }),
    disconnect: () => child.disconnect(),
  };
}
