import { SECOND } from '#shared/clock';
import { ConfigError, readConfig } from '#shared/config.server';
import { requireCurrentSchema } from '#shared/database/schema-state.server';
import { printFailure } from '#shared/describe-failure.server';
import { createLogger } from '#shared/logger.server';
import { migrations } from '../migrations/all-migrations';
import { startDaemon } from './daemon';

const SAME_WORD_MS = SECOND / 2;

async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config, 'daemon');
  if (config.redisUrl === null) {
    throw new ConfigError([
      'REDIS_URL must be set for the daemon: where the queues live, such as redis://127.0.0.1:6379. "npm start" finds or starts one.',
    ]);
  }
  requireCurrentSchema(config.databaseFile, Object.keys(migrations));
  process.on('unhandledRejection', (error) =>
    logger.error({ err: error }, 'a promise was rejected and nobody listened'),
  );

  const daemon = await startDaemon({ config: { ...config, redisUrl: config.redisUrl }, logger });

  let stoppingSince: number | null = null;
  const stop = (cause: string): void => {
    if (stoppingSince !== null) {
      // Ctrl-C reaches us and whoever started us, who passes it on: that is still the first word.
      if (performance.now() - stoppingSince >= SAME_WORD_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    logger.info({ cause }, 'stopping');
    daemon
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.error({ err: error }, 'could not stop in order');
        process.exit(1);
      });
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // Started by another of our processes: never outlive it.
  process.on('disconnect', () => stop('the parent process is gone'));
}

main().catch((error: unknown) => {
  process.stderr.write(`${printFailure(error, { portVariable: 'DAEMON_PORT' })}\n`);
  process.exit(1);
});
