import type { ServerBuild } from '@remix-run/node';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import onHeaders from 'on-headers';
import { SECOND } from '#shared/clock';
import { requireCurrentSchema } from '#shared/database/schema-state.server';
import { printFailure } from '#shared/describe-failure.server';
import { readConfig } from '#shared/config.server';
import { newId } from '#shared/ids';
// Only their names, to refuse a database of another release; nothing here runs them.
// eslint-disable-next-line import-x/no-restricted-paths
import { migrations } from '../../../migrations/all-migrations';
import { sendConsoleToLog } from './console-bridge.server';
import { startDaemonWatch } from './daemon-watchdog.server';
import { REQUEST_ID_HEADER } from './request-id.server';
import { tidyRequest } from './normalise-request.server';
import { CLIENT_ADDRESS_HEADER, readClientAddress } from './client-address.server';
import { refuseForeignWrite } from './csrf.server';
import { hearOut } from './drain-body.server';
import { createFront, standBefore } from '../page-cache/front.server';
import { cutWhenSilent } from './idle-connection.server';
import { serveUpload } from './serve-upload.server';
import { everyAnswerHeaders, NO_DOCUMENT_POLICY, referrerPolicy } from './security-headers.server';
import { closeServerContext, serverContext, type ServerContext } from './context.server';
import { createInFlight, createStop } from './shutdown.server';

/** Longer than the idle limit of usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65 * SECOND;

interface RequestStart {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

const KEY = Symbol.for('packwatch.serving');
const holder = globalThis as typeof globalThis & { [KEY]?: true };

/** remix-serve logs with morgan, as text and with query strings; our own request log takes its place. */
function silenceAccessLog(): void {
  const serve = createRequire(createRequire(import.meta.url).resolve('@remix-run/serve/package.json'));
  const morgan = serve('morgan') as { format(name: string, line: () => undefined): void };
  // github.com/expressjs/morgan, "Using a custom format function": a line that is undefined is not written.
  morgan.format('tiny', () => undefined);
}

const DEVELOPMENT_KEY = Symbol.for('packwatch.development-uploads');
const developmentHolder = globalThis as typeof globalThis & { [DEVELOPMENT_KEY]?: true };

/** The dev server serves pages its own way; uploads it does not know. Once per process, however often this is evaluated. */
export function serveUploadsInDevelopment(): void {
  if (developmentHolder[DEVELOPMENT_KEY]) return;
  developmentHolder[DEVELOPMENT_KEY] = true;
  subscribe('http.server.request.start', (message) => {
    const { server } = message as RequestStart;
    standBefore(
      server,
      (request, response) =>
        (request.method === 'GET' || request.method === 'HEAD') &&
        serveUpload(request, response, serverContext().config),
    );
  });
}

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
 * Makes remix-serve's HTTP server ours, once per process: time-outs, the headers of every answer, one log
 * event per request, and an ordered stop. Works through `http.server.request.start`, which Node publishes
 * before any middleware sees the request (nodejs.org/api/diagnostics_channel.html, "HTTP"). `loadBuild` gives the build
 * that is being served.
 */
export function startServing(loadBuild: () => Promise<ServerBuild>): void {
  if (holder[KEY]) return;
  holder[KEY] = true;

  const context = openContextOrExit();
  const { config, log } = context;
  sendConsoleToLog(log);
  silenceAccessLog();

  const headers = Object.entries(everyAnswerHeaders(config));
  const app = new URL(config.appUrl);
  const front = createFront(context, loadBuild);
  const inFlight = createInFlight();
  const daemonWatch = startDaemonWatch(context);

  subscribe('http.server.request.start', (message) => {
    const { request, response, server } = message as RequestStart;
    const startedAt = performance.now();
    const id = newId();
    const method = request.method;
    const path = (request.url ?? '/').split('?', 1)[0];

    // Long uploads are welcome; Node would end them after five minutes. What else sends a body has a limit of its own, in
    // `readBody` and `hearOut`.
    server.requestTimeout = 0;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    standBefore(server, front);
    cutWhenSilent(request, response);

    tidyRequest(request, app.host);
    refuseForeignWrite(request, app);
    request.headers[REQUEST_ID_HEADER] = id;
    request.headers[CLIENT_ADDRESS_HEADER] = readClientAddress(request, config.web.trustProxy);
    response.setHeader('Referrer-Policy', referrerPolicy(request.url ?? '/'));
    response.setHeader('X-Request-Id', id);
    for (const [name, value] of headers) response.setHeader(name, value);
    // Pages set a policy of their own. Redirects, texts and files have none, and Remix would append to one set here.
    onHeaders(response, () => {
      if (!response.hasHeader('Content-Security-Policy'))
        response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY);
    });

    inFlight.begin();
    response.once('finish', () => hearOut(request));
    response.once('close', () => {
      inFlight.end();
      log.info(
        {
          requestId: id,
          method,
          path,
          status: response.statusCode,
          ms: Math.round(performance.now() - startedAt),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
  });

  const stop = createStop({
    log,
    inFlight,
    async close() {
      await daemonWatch.stop();
      await closeServerContext();
    },
    exit: (code) => process.exit(code),
    elapsedMs: () => performance.now(),
  });
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // Started with an IPC channel: whoever started us is gone.
  if (process.channel) process.on('disconnect', () => void stop('parent gone'));

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    // remix-serve listens without a listener for errors: a port that is taken arrives here.
    if ('syscall' in error && error.syscall === 'listen') process.stderr.write(`${printFailure(error)}\n`);
    else log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  log.info({ appUrl: config.appUrl, port: config.web.port }, 'web process ready to listen');
}
