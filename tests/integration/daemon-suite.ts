import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE } from '#shared/clock';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import type { ToolResult } from '../../daemon/cli/terminal';
import { startPrivateRedis } from '../../scripts/processes/private-redis.mjs';
import { freePort } from '../free-port';
import { bundlePrograms } from './bundled-programs';
import { startChild, type Child, type ChildOptions } from './child-process';
import {
  createMonitorFixture,
  eventually,
  type MonitorFixture,
  type MonitorFixtureOptions,
} from './monitor/monitor-fixture';
import { TOOLS, type ToolName } from './tools';

const START_LIMIT_MS = 2 * MINUTE;

/** What a test of daemon processes works with. */
export interface TestContext {
  fixture: MonitorFixture;
  /** The bundled program of the daemon. */
  program: string;
  /** Runs a command line tool of `daemon/cli` in this process, with the fixture's environment. */
  runTool(tool: ToolName, ...args: string[]): Promise<ToolResult>;
  /** Where Redis writes its append-only file, with every command that it received. */
  redisFolder: string;
  /** Starts a daemon process; resolves when it is ready. */
  startDaemon(options?: ChildOptions): Promise<StartedDaemon>;
}

export interface StartedDaemon extends Child {
  /** The port of its health and metrics server. */
  port: number;
}

/** Runs the tests of one file against real daemon processes, which they may kill. */
export interface DaemonSuite {
  /** Runs one test with a fixture and a separate Redis database. Kills its processes afterwards. */
  run(
    test: (context: TestContext) => Promise<void>,
    webhooks?: Audience[],
    environment?: MonitorFixtureOptions['environment'],
  ): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when the daemon is ready; rejects when it exits first. */
async function untilReady(child: Child, port: number): Promise<void> {
  let failure: string | null = null;
  void child.ended.then(({ code, signal }) => {
    failure = `the daemon ended with ${code ?? signal}: ${child.stderr()}`;
  });
  await eventually(async () => {
    if (failure !== null) throw new Error(failure);
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
    if (status !== 200) throw new Error(`/healthz answers ${status}`);
  }, START_LIMIT_MS);
}

/** Bundles the daemon, and starts one Redis for all tests of a file. */
export async function createDaemonSuite(): Promise<DaemonSuite> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-daemon-suite-'));
  const [redis, programs] = await Promise.all([
    startPrivateRedis({ directory: folder }),
    bundlePrograms(['daemon/main.ts', 'daemon/checks/judge-thread.ts']),
  ]);
  const program = programs.fileOf('daemon/main.ts');
  let databases = 0;
  return {
    async run(test, webhooks = ['instant', 'free'], environment = {}) {
      databases += 1;
      // A daemon process always uses QUEUE_PREFIX, so each test has its own Redis database.
      const fixture = await createMonitorFixture({
        redisUrl: `${redis.url}?db=${databases}`,
        prefix: QUEUE_PREFIX,
        webhooks,
        environment,
      });
      const children: Child[] = [];
      try {
        await test({
          fixture,
          program,
          runTool(tool, ...args) {
            return TOOLS[tool](args, { NODE_ENV: 'test', ...fixture.environment });
          },
          redisFolder: join(folder, 'redis'),
          async startDaemon(options) {
            const port = await freePort();
            // Log everything, so that a test can search the log for secrets.
            const variables = { ...fixture.environment, DAEMON_PORT: String(port), LOG_LEVEL: 'trace' };
            const child = startChild([program], variables, options);
            children.push(child);
            await untilReady(child, port);
            return { ...child, port };
          },
        });
      } finally {
        await Promise.all(children.map((child) => child.kill('SIGKILL')));
        await fixture.cleanup();
      }
    },
    async close() {
      programs.remove();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
