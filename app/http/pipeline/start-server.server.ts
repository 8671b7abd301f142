import { format } from 'node:util';
import { requireCurrentSchema } from '#shared/database/schema-state.server';
import { SECOND } from '#shared/clock';
import { readConfig } from '#shared/config.server';
import { printFailure } from '#shared/process/describe-failure.server';
import type { Logger } from '#shared/logger.server';
import { startLoopWatchdog } from '#shared/process/loop-watchdog.server';
import { keepFilesPrivate } from '#shared/process/private-files.server';
import { shutDownOnSignals } from '#shared/process/shutdown.server';
import { startStagingSweep } from '#shared/storage/sweep-staging';
import { migrations } from '../../../migrations/all-migrations';
import type { PublicPage } from '../page-cache/cache-key.server';
import type { LoadBuild } from '../page-cache/page-cache.server';
import { attachToRemixServe, type Middleware } from './attach.server';
import { setServerLimits } from './connection-limits.server';
import { closeServerContext, serverContext, type ServerContext } from '../server/context.server';
import { createInFlight } from './in-flight.server';
import { createPipeline } from './pipeline.server';

/** How long a shutdown waits for the requests in flight. */
const DRAIN_LIMIT_MS = 10 * SECOND;

async function openContextOrExit(): Promise<ServerContext> {
  try {
    const { database, dataDir } = readConfig();
    keepFilesPrivate(dataDir);
    await requireCurrentSchema(database, Object.keys(migrations));
    const context = serverContext();
    await context.clock.start();
    return context;
  } catch (error) {
    console.error(printFailure(error));
    return process.exit(1);
  }
}

/** Repeating `import()` of the build takes longer than sending a cached page. */
function loadOnce(loadBuild: LoadBuild): LoadBuild {
  let build: ReturnType<LoadBuild> | null = null;
  return () => (build ??= loadBuild());
}

interface ServerParts {
  /** Loads the build that is being served. */
  loadBuild: LoadBuild;
  /** The pages that the page cache serves. */
  publicPages: readonly PublicPage[];
  startWatchdog: (context: ServerContext) => { stop(): Promise<void> };
  /** Runs once, while requests are served. Never rejects. */
  afterStart: (context: ServerContext) => Promise<void>;
}

/**
 * Starts the web process: its context, the pipeline before Remix, a watchdog, the sweep of received files, and the shutdown.
 * On shutdown remix-serve itself stops accepting connections.
 */
export async function startServer({
  loadBuild,
  publicPages,
  startWatchdog,
  afterStart,
}: ServerParts): Promise<void> {
  const context = await openContextOrExit();
  const { config, log } = context;
  sendConsoleToLog(log);
  logUncaughtErrors(log);

  startLoopWatchdog({ part: 'web' });
  const inFlight = createInFlight();
  attachToRemixServe(
    createPipeline({ context, loadBuild: loadOnce(loadBuild), publicPages, inFlight }),
    setServerLimits,
  );
  const watchdog = startWatchdog(context);
  const { storage, releaseStorage, clock } = context;
  const stagingSweep = startStagingSweep([storage, releaseStorage], { clock, logger: log });
  void afterStart(context);
  shutDownOnSignals({
    logger: log,
    async close() {
      log.info({ inFlight: inFlight.count() }, 'waiting for the requests in flight');
      if (!(await inFlight.drained(DRAIN_LIMIT_MS)))
        log.warn({ inFlight: inFlight.count() }, 'some requests did not end in time');
      await watchdog.stop();
      await stagingSweep.stop();
      await closeServerContext();
    },
  });
  log.info({ appUrl: config.appUrl, port: config.web.port }, 'web process ready to listen');
}

function logUncaughtErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    // remix-serve has no error listener on its server, so a port that is in use ends up here.
    if ('syscall' in error && error.syscall === 'listen') process.stderr.write(`${printFailure(error)}\n`);
    else log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}

const CONSOLE_LEVELS = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'error' } as const;

/** Sends console output of libraries (remix-serve, React, Express) to the log, as JSON lines, for the whole process. */
function sendConsoleToLog(log: Logger): void {
  for (const [method, level] of Object.entries(CONSOLE_LEVELS) as [keyof typeof CONSOLE_LEVELS, 'info'][]) {
    console[method] = (...values: unknown[]) => {
      // remix-serve passes console.error as the callback of server.close, which calls it with undefined on success.
      if (values.every((value) => value === undefined)) return;
      const error = values.find((value) => value instanceof Error);
      log[level]({ source: 'console', ...(error && { err: error }) }, format(...values));
    };
  }
}

let developmentPipeline: Middleware | null = null;

/** Returns the same pipeline for Vite's dev server, which evaluates this module again after each change. */
export function createDevelopmentPipeline({
  loadBuild,
  publicPages,
}: Pick<ServerParts, 'loadBuild' | 'publicPages'>): Middleware {
  if (developmentPipeline !== null) return developmentPipeline;
  const context = serverContext();
  context.clock
    .start()
    .catch((error: unknown) => context.log.warn({ err: error }, 'the clock is the machine’s'));
  return (developmentPipeline = createPipeline({
    context,
    loadBuild,
    publicPages,
    inFlight: createInFlight(),
  }));
}
