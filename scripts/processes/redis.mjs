import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runDirectory } from '../project.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';

// The limit for a Unix socket's path is 108 bytes on Linux and 104 on macOS: unix(7), unix(4).
const MAX_SOCKET_PATH_LENGTH = 99;
const PING_TIMEOUT_MS = 1_000;
const POLL_MS = 20;

/** The socket of a data folder's private Redis. */
export function redisSocketPath(dataDir) {
  const own = join(runDirectory(dataDir), 'redis.sock');
  // ioredis does not unescape the path of a URL, so paths that need escaping are avoided as well.
  if (Buffer.byteLength(own) <= MAX_SOCKET_PATH_LENGTH && /^[\w./-]+$/.test(own)) return own;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `packwatch-${process.getuid?.() ?? 0}-${hash}`, 'redis.sock');
}

/** REDIS_URL for a server on a Unix socket. */
export function redisUrl(socket) {
  return `unix://${socket}`;
}

/** Whether the server answers PING, which it does once its append-only file is loaded. */
export function answersPing(socket) {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const finish = (answer) => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(PING_TIMEOUT_MS, () => finish(false));
    connection.once('connect', () => connection.write('PING\r\n'));
    connection.once('data', (data) => finish(data.toString('latin1').startsWith('+PONG')));
    connection.once('error', () => finish(false));
    connection.once('close', () => finish(false));
  });
}

/** Resolves when the server answers; rejects when `signal` aborts. */
export async function waitForRedis(socket, signal) {
  while (!(await answersPing(socket))) await sleep(POLL_MS, null, { signal });
}

/**
 * The command line of a private Redis and its configuration for standard input. It listens only on the socket, which only
 * this user can open, and syncs its append-only file once a second.
 */
export function privateRedis({ program, socket, directory }) {
  for (const folder of [directory, dirname(socket)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Every user can write to the temporary folder, so another user may have created a folder of that name.
  if (process.getuid !== undefined && statSync(dirname(socket)).uid !== process.getuid()) {
    throw new SetupFault(`${dirname(socket)} belongs to another user.`, {
      advice: ['Set DATA_DIR to a folder of your own.'],
    });
  }
  const settings = [
    'port 0',
    `unixsocket ${quote(socket)}`,
    'unixsocketperm 700',
    `dir ${quote(directory)}`,
    'daemonize no',
    'save ""',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    'loglevel warning',
  ];
  return { command: program, args: ['-'], input: `${settings.join('\n')}\n` };
}

/** Removes the socket's folder when it lies outside the data folder. */
export function removeRedisSocket(socket, dataDir) {
  rmSync(socket, { force: true });
  if (!socket.startsWith(dataDir)) rmSync(dirname(socket), { recursive: true, force: true });
}

// redis.conf: values in double quotes take backslash escapes.
function quote(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
