import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECOND } from '#shared/clock';

/** Longer than an upload's own limit, so that whoever stops sending one is told first. */
const SILENCE_LIMIT_MS = 75 * SECOND;

/**
 * Cuts a connection on which nothing has moved for `limitMs` while it is the client's turn: to go on sending, or to take
 * our answer. Whoever waits for us may wait. (nginx: `client_body_timeout` and `send_timeout`.) For the start of each
 * request; once it is answered, Node's keep-alive limit counts.
 */
export function cutWhenSilent(
  request: IncomingMessage,
  response: ServerResponse,
  limitMs = SILENCE_LIMIT_MS,
): void {
  const { socket } = request;
  socket.setTimeout(limitMs);
  // Comes only while there is more to read (Node, lib/_http_server.js, `socketOnTimeout`).
  request.on('timeout', () => socket.destroy());
  // Without this listener Node would cut the connection of whoever waits for us.
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
