import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECOND } from '#shared/clock';
import type { Audience } from '#shared/alerts/webhooks';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { startPrivateRedis } from '../../scripts/processes/private-redis.mjs';
import { freePort } from '../free-port';
import { bundlePrograms } from './bundled-programs';
import { startChild, type Child, type ChildOptions } from './child-process';
import { createWorld, eventually, type World, type WorldOptions } from './monitor-world';

const START_LIMIT_MS = 20 * SECOND;

export interface Stage {
  world: World;
  /** The daemon's bundled program. */
  program: string;
  /** Runs a bundled command line tool of `daemon/cli` in this world to its end. */
  run(tool: string, ...args: string[]): Promise<Answer>;
  /** Where Redis writes down every command it ever got. */
  redisFolder: string;
  /** Starts a daemon as a process of its own; resolves when it is ready to work. */
  start(options?: ChildOptions): Promise<StartedDaemon>;
}

export interface StartedDaemon extends Child {
  /** Of its health and metrics. */
  port: number;
}

export interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Where daemons that are real processes can be killed. */
export interface Theatre {
  /** One test in a world of its own, with a database of Redis for itself; afterwards no daemon of it lives. */
  play(
    test: (stage: Stage) => Promise<void>,
    webhooks?: Audience[],
    environment?: WorldOptions['environment'],
  ): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when the daemon is ready to work; rejects when it ends before. */
async function untilReady(child: Child, port: number): Promise<void> {
  let over: string | null = null;
  void child.ended.then(({ code, signal }) => {
    over = `the daemon ended with ${code ?? signal}: ${child.stderr()}`;
  });
  await eventually(async () => {
    if (over !== null) throw new Error(over);
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
    if (status !== 200) throw new Error(`/healthz answers ${status}`);
  }, START_LIMIT_MS);
}

/** Bundles the daemon and the named command line tools, and starts one Redis for all tests of a file. */
export async function openTheatre(tools: readonly string[] = []): Promise<Theatre> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-theatre-'));
  const [redis, programs] = await Promise.all([
    startPrivateRedis({ directory: folder }),
    bundlePrograms(['daemon/main.ts', ...tools.map((tool) => `daemon/cli/${tool}.ts`)]),
  ]);
  const program = programs.fileOf('daemon/main.ts');
  let databases = 0;
  return {
    async play(test, webhooks = ['instant', 'free'], environment = {}) {
      databases += 1;
      // The daemon's prefix is fixed: what keeps tests apart is the number of the database.
      const world = await createWorld({
        redisUrl: `${redis.url}?db=${databases}`,
        prefix: QUEUE_PREFIX,
        webhooks,
        environment,
      });
      const children: Child[] = [];
      try {
        await test({
          world,
          program,
          async run(tool, ...args) {
            const child = startChild([programs.fileOf(`daemon/cli/${tool}.ts`), ...args], world.environment);
            children.push(child);
            const { code } = await child.ended;
            return { code, stdout: child.stdout(), stderr: child.stderr() };
          },
          redisFolder: join(folder, 'redis'),
          async start(options) {
            const port = await freePort();
            // Everything it says is kept, so that a test can look for what must not be said.
            const variables = { ...world.environment, DAEMON_PORT: String(port), LOG_LEVEL: 'trace' };
            const child = startChild([program], variables, options);
            children.push(child);
            await untilReady(child, port);
            return { ...child, port };
          },
        });
      } finally {
        await Promise.all(children.map((child) => child.kill('SIGKILL')));
        await world.cleanup();
      }
    },
    async close() {
      programs.remove();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
