import { requireCurrentSchema } from '#shared/database/schema-state.server';
import { SECOND } from '#shared/clock';
import { readConfig } from '#shared/config.server';
import { printFailure } from '#shared/describe-failure.server';
import type { Logger } from '#shared/logger.server';
import { shutDownOnSignals } from '#shared/shutdown.server';
// Only their names, to refuse a database of another release; nothing here runs them.
// eslint-disable-next-line import-x/no-restricted-paths
import { migrations } from '../../../migrations/all-migrations';
import type { LoadBuild } from '../page-cache/page-cache.server';
import { attachToRemixServe } from './attach.server';
import { setServerLimits } from './connection-limits.server';
import { sendConsoleToLog } from './console-bridge.server';
import { closeServerContext, serverContext, type ServerContext } from './context.server';
import { startDaemonWatch } from './daemon-watchdog.server';
import { createInFlight } from './in-flight.server';
import { createPipeline } from './pipeline.server';

/** How long requests in flight may take to end once the process shuts down. */
const DRAIN_LIMIT_MS = 10 * SECOND;

function openContextOrExit(): ServerContext {
  try {
    const { databaseFile } = readConfig();
    requireCurrentSchema(databaseFile, Object.keys(migrations));
    return serverContext();
  } catch (error) {
    console.error(printFailure(error));
    return process.exit(1);
  }
}

/**
 * Starts the web process: its context, the pipeline before Remix, the daemon watchdog and the shutdown. That no new
 * connection is accepted during the shutdown is done by remix-serve. `loadBuild` loads the build that is being served.
 */
export function startServer(loadBuild: LoadBuild): void {
  const context = openContextOrExit();
  const { config, log } = context;
  sendConsoleToLog(log);
  logUncaughtErrors(log);

  const inFlight = createInFlight();
  attachToRemixServe(createPipeline({ context, loadBuild, inFlight }), setServerLimits);
  const daemonWatch = startDaemonWatch(context);
  shutDownOnSignals({
    logger: log,
    async close() {
      log.info({ inFlight: inFlight.count() }, 'waiting for the requests in flight');
      if (!(await inFlight.drained(DRAIN_LIMIT_MS)))
        log.warn({ inFlight: inFlight.count() }, 'some requests did not end in time');
      await daemonWatch.stop();
      await closeServerContext();
    },
  });
  log.info({ appUrl: config.appUrl, port: config.web.port }, 'web process ready to listen');
}

function logUncaughtErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    // remix-serve listens without an error listener: a port that is in use arrives here.
    if ('syscall' in error && error.syscall === 'listen') process.stderr.write(`${printFailure(error)}\n`);
    else log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}
