import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { MINUTE, SECOND } from '#shared/clock';
import { detachBodyReader } from './attach.server';
import type { Duplex } from 'node:stream';

/** Status and sentence per fault of Node's HTTP parser (nodejs.org/api/http.html, "Event: 'clientError'"). */
const FAULTS: Readonly<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    message: 'The headers of this request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'This request took too long to arrive. Please try again.',
  },
};

const MALFORMED = {
  status: '400 Bad Request',
  code: 'malformed_request',
  message: 'This is not a valid HTTP request. Check that Content-Length is the length of the body in bytes.',
};

/**
 * Answers what Node's HTTP parser cannot read as a failure of the API, for example the bytes that follow a body whose
 * Content-Length is too small; Node would answer without a body. Then closes the connection. `responseOn` finds the
 * response in progress on a connection: one that has begun is cut off, because no other can follow inside of it.
 */
function answerUnreadableRequests(
  server: Server,
  responseOn: (socket: Duplex) => ServerResponse | undefined,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = responseOn(socket);
    const hasBegun = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegun) {
      socket.destroy();
      return;
    }
    const { status, code, message } = FAULTS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify({ success: false, message, code });
    const head = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
}

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
