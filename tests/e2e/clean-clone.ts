import { execFileSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownProcesses } from '../../scripts/processes/owned-processes.mjs';
import { SECOND } from '#shared/clock';
import type { Environment } from './stack';

const STOP_GRACE_MS = 20 * SECOND;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface NpmStart {
  /** What it has printed so far. */
  output(): string;
  /** Ctrl-C: the whole process group gets SIGINT. Resolves when npm has ended. */
  interrupt(): Promise<void>;
}

/**
 * A copy of the working tree without what git ignores, except for what `npm test` has just installed and built with the
 * same scripts, which the copy links: a run in a new clone, as in CI, has done both from nothing.
 */
export function makeCleanCopy(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-newcomer-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of listed.toString('utf8').split('\0').filter(Boolean)) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  mkdirSync(join(folder, '.cache'));
  for (const prepared of ['node_modules', 'build', join('.cache', 'tools')]) {
    // A machine that has Node and Redis itself has no tools.
    if (existsSync(join(ROOT, prepared))) symlinkSync(join(ROOT, prepared), join(folder, prepared), 'dir');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * A PATH on which Node is one that is too old, where `npm test` has fetched such a one: a fresh Debian's. Else our own PATH.
 */
function newcomersPath(): string {
  const { PATH = '', PACKWATCH_OTHER_NODES } = process.env;
  if (PACKWATCH_OTHER_NODES === undefined) return PATH;
  const { old } = JSON.parse(PACKWATCH_OTHER_NODES) as { old: Record<string, string> };
  return [...Object.values(old).map((program) => dirname(program)), PATH].join(delimiter);
}

/** Types `npm start` in a folder, with only the ports of this run in the environment. It cannot outlive this process. */
export function npmStart(folder: string, ports: Environment): NpmStart {
  const { HOME = folder } = process.env;
  const npmSettings = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name)),
  );
  const processes = ownProcesses();
  const child: ChildProcess & { ended?: Promise<unknown> } = processes.start('npm', ['start'], {
    cwd: folder,
    env: { ...npmSettings, PATH: newcomersPath(), HOME, ...ports } as unknown as NodeJS.ProcessEnv,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString('utf8')));
  }
  return {
    output: () => output,
    async interrupt() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGINT');
      }
      await child.ended;
      await processes.close(STOP_GRACE_MS);
    },
  };
}
