import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { MINUTE, SECOND } from '#shared/clock';
import { detachBodyReader } from './attach.server';
import { answerUnreadableRequests } from './unreadable-request.server';

/** Longer than the idle timeout of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65 * SECOND;

/** Longer than the idle limit of an upload, so that a stalled upload gets its response first. */
const IDLE_LIMIT_MS = 75 * SECOND;

/** Maximum bytes to drain of a body that nothing read: more than the largest file that is accepted. */
const UNREAD_DRAIN_BYTES = 256 * 1024 * 1024;
/** Maximum time to drain a body. */
const DRAIN_MS = 5 * MINUTE;

/** The last response of each connection that a step of the pipeline has seen. */
const responses = new WeakMap<object, ServerResponse>();

/** Limits of the whole server, and its answer to requests that are not HTTP. */
export function setServerLimits(server: Server): void {
  answerUnreadableRequests(server, (socket) => responses.get(socket));
  // Node would end long uploads after five minutes. `closeIdleConnection`, `drainBody` and `readBody` limit requests.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
}

/**
 * Closes the connection if the client neither sends its body nor reads our response for `limitMs`. A client that waits
 * for our response is not affected. (nginx: `client_body_timeout` and `send_timeout`.) Call it at the start of each
 * request; after the response Node's keep-alive timeout applies.
 */
export function closeIdleConnection(
  request: IncomingMessage,
  response: ServerResponse,
  limitMs = IDLE_LIMIT_MS,
): void {
  const { socket } = request;
  responses.set(socket, response);
  socket.setTimeout(limitMs);
  // Emitted only while there is more to read (Node, lib/_http_server.js, `socketOnTimeout`).
  request.on('timeout', () => socket.destroy());
  // Without this listener Node would close the connection of a client that waits for us.
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}

/**
 * Drains the unread rest of a body. Browsers read the response only after they have sent the whole body, so a rejected
 * upload would otherwise stall until the connection times out. Closes the connection past either limit. Call it after the
 * response.
 */
export function drainBody(
  request: IncomingMessage,
  { maxBytes = UNREAD_DRAIN_BYTES, maxMs = DRAIN_MS }: { maxBytes?: number; maxMs?: number } = {},
): void {
  if (request.complete || request.destroyed) return;
  detachBodyReader(request);
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.byteLength;
    if (drained > maxBytes) request.destroy();
  });
  const { socket } = request;
  const timer = setTimeout(() => request.destroy(), maxMs);
  // After the response Node does not close the request of a connection that the client closes (lib/_http_server.js,
  // `resOnFinish`); the timer would keep the request with its buffers until `maxMs` has passed.
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  request.once('close', stop);
  request.resume();
}
