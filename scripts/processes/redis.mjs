import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runDirectory } from '../project.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';

// A unix socket's path has 108 bytes on Linux and 104 on macOS, unix(7) and unix(4).
const LONGEST_SOCKET_PATH = 99;
const PING_TIMEOUT_MS = 1_000;
const POLL_MS = 20;

/** Where the private Redis of a data folder listens. */
export function redisSocketPath(dataDir) {
  const own = join(runDirectory(dataDir), 'redis.sock');
  // ioredis takes the path from a URL as it stands, so one that would need escaping is avoided as well.
  if (Buffer.byteLength(own) <= LONGEST_SOCKET_PATH && /^[\w./-]+$/.test(own)) return own;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `packwatch-${process.getuid?.() ?? 0}-${hash}`, 'redis.sock');
}

/** REDIS_URL for a server on a unix socket. */
export function redisUrl(socket) {
  return `unix://${socket}`;
}

/** Whether a server on the socket answers PING, which it does once its append-only file is loaded. */
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

/** Resolves when the server on the socket answers; rejects when `signal` aborts. */
export async function waitForRedis(socket, signal) {
  while (!(await answersPing(socket))) await sleep(POLL_MS, null, { signal });
}

/**
 * How to start a private Redis: spawn options for `program` and its configuration for standard input. No
 * port; the socket is for this user only; every write reaches the append-only file before it is answered.
 */
export function privateRedis({ program, socket, directory }) {
  for (const folder of [directory, dirname(socket)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Every user can write to the temporary folder: another may have made a folder of that name first.
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
