import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../free-port';
import type { BarePages } from './bare-news-server';

const START_LIMIT_MS = 30_000;
const POLL_INTERVAL_MS = 100;

/** A server under load, in its own process. */
export interface BenchedServer {
  origin: string;
  /** Resident memory in MiB, current and peak; null on systems without /proc. */
  memory(): { now: number; peak: number } | null;
  /** Processor time since the start in milliseconds; null on systems without /proc. */
  processorTime(): number | null;
  stop(): Promise<void>;
}

function memoryOf(pid: number): { now: number; peak: number } | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  const status = readFileSync(file, 'utf8');
  const mebibytes = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024);
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** Fields 14 and 15 of /proc/PID/stat, user and system time, count ticks of 10 ms (proc(5); the second field may hold spaces). */
function processorTimeOf(pid: number): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function benched(child: ChildProcess, origin: string): BenchedServer {
  return {
    origin,
    memory: () => (child.pid === undefined ? null : memoryOf(child.pid)),
    processorTime: () => (child.pid === undefined ? null : processorTimeOf(child.pid)),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

const PRODUCTS_BUILD = './build/server/index.js';

/** The line that starts the web process in production, for another build. */
function startLine(buildFile: string): string {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const line = scripts['start:web'] ?? '';
  if (!line.includes(PRODUCTS_BUILD)) throw new Error('start:web does not start build/server/index.js');
  return line.replace(PRODUCTS_BUILD, buildFile);
}

/** Serves a Remix build as production does. `env` is added to ours. */
export async function startRemix(
  buildFile: string,
  env: Record<string, string>,
  logFile: string,
): Promise<BenchedServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn('sh', ['-c', startLine(buildFile)], {
    // Logs are enabled, as in production, and discarded.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PATH: [join('node_modules', '.bin'), process.env.PATH].join(delimiter),
      HOST: '127.0.0.1',
      PORT: String(port),
      APP_URL: origin,
      ...env,
    },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const giveUpAt = performance.now() + START_LIMIT_MS;
  for (;;) {
    const answered = await fetch(origin).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answered) break;
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      writeFileSync(logFile, stderr);
      child.kill('SIGKILL');
      throw new Error(`${buildFile} does not serve: ${stderr.slice(0, 1_000)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
  return benched(child, origin);
}

/** Starts the server without a framework, which responds with `pages`. */
export async function startBare(
  databaseFile: string,
  pages: BarePages,
  folder: string,
): Promise<BenchedServer> {
  const pagesFile = join(folder, 'bare-pages.json');
  writeFileSync(pagesFile, JSON.stringify(pages));
  const child = fork(new URL('./page-load/bare-news-server.js', import.meta.url), [databaseFile, pagesFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return benched(child, `http://127.0.0.1:${port}`);
}
