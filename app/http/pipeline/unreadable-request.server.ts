import type { Server, ServerResponse } from 'node:http';
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
export function answerUnreadableRequests(
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
