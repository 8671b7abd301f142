import { ConfigError, readConfig } from '#shared/config.server';
import { requireCurrentSchema } from '#shared/database/schema-state.server';
import { printFailure } from '#shared/process/describe-failure.server';
import { createLogger } from '#shared/logger.server';
import { startLoopWatchdog } from '#shared/process/loop-watchdog.server';
import { keepFilesPrivate } from '#shared/process/private-files.server';
import { shutDownOnSignals } from '#shared/process/shutdown.server';
import { migrations } from '../migrations/all-migrations';
import { startDaemon } from './daemon';
import { createJudge } from './checks/judge';

async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config, 'daemon');
  if (config.redisUrl === null) {
    throw new ConfigError([
      'REDIS_URL must be set for the daemon: where the queues live, such as redis://127.0.0.1:6379. "npm start" finds or starts one.',
    ]);
  }
  keepFilesPrivate(config.dataDir);
  await requireCurrentSchema(config.database, Object.keys(migrations));
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));

  startLoopWatchdog({ part: 'daemon' });
  const judge = createJudge({
    program: new URL('./checks/judge-thread.js', import.meta.url),
    logger: logger.child({ worker: 'monitor' }),
  });
  const stop = new AbortController();
  const starting = startDaemon({
    config: { ...config, redisUrl: config.redisUrl },
    logger,
    judge,
    signal: stop.signal,
  });
  shutDownOnSignals({
    logger,
    async close() {
      stop.abort();
      // A signal during the start stops the daemon once it has started.
      await (await starting).stop();
    },
  });
  await starting;
}

main().catch((error: unknown) => {
  process.stderr.write(`${printFailure(error, { portVariable: 'DAEMON_PORT' })}\n`);
  process.exit(1);
});
