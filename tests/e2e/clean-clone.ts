import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from './stack';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface NpmStart {
  /** What it has printed so far. */
  output(): string;
  /** Ctrl-C: the whole process group gets SIGINT. Resolves when npm has ended and its output is closed. */
  interrupt(): Promise<void>;
}

/** A copy of what git would hand to a newcomer (the working tree's version), without anything that is ignored. */
export function makeCleanCopy(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-newcomer-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of listed.toString('utf8').split('\0').filter(Boolean)) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true, force: true, dereference: false });
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Types `npm start` in a folder, with nothing of ours in the environment but the ports. */
export function npmStart(folder: string, ports: Environment): NpmStart {
  const { PATH = '', HOME = folder } = process.env;
  const npmSettings = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name)),
  );
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...npmSettings, PATH, HOME, ...ports } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString('utf8')));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    output: () => output,
    async interrupt() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
      return ended;
    },
  };
}
