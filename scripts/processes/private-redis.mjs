import { join } from 'node:path';
import { createReporter } from '../commands/progress.mjs';
import { ownProcesses } from './owned-processes.mjs';
import { answersPing, privateRedis, redisUrl, waitForRedis } from './redis.mjs';
import { findRedisProgram } from '../setup/redis-program.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';

const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 3_000;

/**
 * Starts a private Redis for tests and benchmarks, with its files in `directory`. It ends with this process at the latest.
 * Returns `{ url, pid, isUp, kill, start, stop }`: `kill(signal)` kills it (default: SIGKILL), `start()` restarts it on the
 * same socket and files.
 */
export async function startPrivateRedis({
  directory,
  processes = ownProcesses(),
  reporter = createReporter(process.stderr),
}) {
  const program = await findRedisProgram({ processes, reporter });
  const socket = join(directory, 'redis.sock');
  let child = null;

  async function start() {
    const { command, args, input } = privateRedis({ program, socket, directory: join(directory, 'redis') });
    child = processes.start(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = new AbortController();
    void child.ended.then(() => ended.abort());
    try {
      await waitForRedis(socket, AbortSignal.any([ended.signal, AbortSignal.timeout(START_TIMEOUT_MS)]));
    } catch {
      await kill();
      throw new SetupFault(`${program} did not start; its output is above.`);
    }
  }

  async function kill(signal = 'SIGKILL') {
    child?.kill(signal);
    await child?.ended;
  }

  async function stop() {
    if (child !== null) await processes.stop(child, STOP_GRACE_MS);
  }

  await start();
  return { url: redisUrl(socket), pid: () => child.pid, isUp: () => answersPing(socket), kill, start, stop };
}
