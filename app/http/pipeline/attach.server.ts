import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';

/*
 * remix-serve serves this site, and it offers no hook: its command builds an Express app and starts an HTTP server
 * without handing either to the build that it loads (@remix-run/serve 2.17, dist/cli.js). Some of our steps must run
 * before its middleware: it answers malformed requests with its own HTML pages, and a cached page that passed through
 * it would be compressed again. This is the only file that knows how its server and its listeners are reached. In
 * development Vite accepts middleware; see vite.config.ts.
 */

/** Handles a request, or passes it on with `next`. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Node publishes each server that starts to listen (nodejs.org/api/diagnostics_channel.html, "NET"). */
const LISTEN_CHANNEL = 'tracing:net.server.listen:asyncStart';

/**
 * Puts `middleware` before the listeners of the next HTTP server that starts to listen in this process, which is
 * remix-serve's: `next` calls them. `prepare` sets the server's own limits.
 */
export function attachToRemixServe(middleware: Middleware, prepare: (server: Server) => void): void {
  const serve = createRequire(createRequire(import.meta.url).resolve('@remix-run/serve/package.json'));
  silenceAccessLog(serve);
  keepFetchOfNode(serve);
  subscribe(LISTEN_CHANNEL, function attach(message) {
    const { server } = message as { server: unknown };
    if (!(server instanceof Server)) return;
    unsubscribe(LISTEN_CHANNEL, attach);
    prepare(server);
    const remixServe = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      middleware(request, response, () => {
        for (const listener of remixServe) listener.call(server, request, response);
      }),
    );
  });
}

/** remix-serve logs with morgan, as text and with query strings; our request log takes its place. */
function silenceAccessLog(serve: NodeJS.Require): void {
  const morgan = serve('morgan') as { format(name: string, line: () => undefined): void };
  // A line that is undefined is not written (github.com/expressjs/morgan, "Using a custom format function").
  morgan.format('tiny', () => undefined);
}

/**
 * remix-serve replaces the `fetch`, `Request` and `Response` of Node by those of undici 6 (@remix-run/node, `installGlobals`), for
 * versions of Node whose own had faults. Ours come with a newer undici, and the development server and the tests have them,
 * too. The 95 files of undici 6 took 28 of the 470 ms of processor time of a start.
 */
function keepFetchOfNode(serve: NodeJS.Require): void {
  const remix = serve('@remix-run/node') as { installGlobals(): void };
  remix.installGlobals = () => undefined;
}

/** Stops Remix from reading on: it would buffer the rest of the body in memory (@remix-run/node, `StreamPump`). */
export function detachBodyReader(request: IncomingMessage): void {
  request.removeAllListeners('data');
}
