import { chownSync, cpSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReporter } from '../commands/progress.mjs';
import { TOOLS } from '../project.mjs';
import { findPostgresPrograms } from '../setup/postgres-program.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';
import { ownProcesses } from './owned-processes.mjs';

const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 5_000;
const POLL_MS = 20;
/** A file system in memory that has less room is not used: containers get 64 MB by default. */
const MIN_MEMORY_BYTES = 1024 ** 3;
const USER = 'packwatch';
/** `nobody` on Linux: the server refuses to run as root (postgresql.org/docs/current/app-postgres.html). */
const ORDINARY_USER = { uid: 65_534, gid: 65_534 };

const INITDB_OPTIONS = ['--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=4'];

/** For tests only: a crash of the machine may lose everything. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  shared_buffers: '64MB',
  autovacuum: 'off',
  // In the server's own folder, so that a killed server leaves nothing elsewhere.
  dynamic_shared_memory_type: 'mmap',
  listen_addresses: '127.0.0.1',
};

const NONE = { data: '', port: 0 };

/** Settings of a server whose commits outlive its end, and that a standby can follow. */
export const DURABLE = { synchronous_commit: 'on', wal_level: 'replica', max_wal_senders: '4' };

/**
 * Starts a private PostgreSQL server for tests and benchmarks, in memory where there is room, and as an ordinary user. It ends
 * with this process at the latest. `settings` replace those of above. `standbyOf`: a server that this one follows, which must
 * be down; its files are copied. Returns `{ urlOf(database), port, data, pid, kill, start, stop }`: `kill(signal)` ends it
 * (SIGINT: fast, SIGQUIT: at once), `start()` restarts it on the same port and files.
 */
export async function startPrivatePostgres({
  settings: given = {},
  standbyOf: primary = NONE,
  processes = ownProcesses(),
  reporter = createReporter(process.stderr),
} = {}) {
  const found = await findPostgresPrograms({ processes, reporter });
  const folder = mkdtempSync(join(hasMemory() ? '/dev/shm' : tmpdir(), 'packwatch-pg-'));
  const user = process.getuid?.() === 0 ? ORDINARY_USER : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const programs = user.uid !== undefined && found.startsWith(TOOLS) ? copyPrograms(found, folder) : found;
  const data = join(folder, 'data');
  // Not this process's folder, which the ordinary user may be unable to read.
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const made =
    primary === NONE
      ? await processes.run(
          join(programs, 'initdb'),
          [...['-D', data, '-U', USER, '--auth=trust'], ...INITDB_OPTIONS],
          options,
        )
      : await copyAsStandby(primary.data);
  if (!made.ok) throw new SetupFault('The files of a PostgreSQL server were not made.', { log: made.output });
  const port = await findFreePort();
  let child = null;

  /** With the owner of the files (postgresql.org/docs/current/warm-standby.html). */
  async function copyAsStandby(files) {
    const copied = await processes.run('cp', ['-a', files, data]);
    if (copied.ok) await processes.run('touch', [join(data, 'standby.signal')], options);
    return copied;
  }

  async function start() {
    const settings = {
      ...SETTINGS,
      ...given,
      ...(primary !== NONE && {
        primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${USER}`,
      }),
      port,
      unix_socket_directories: folder,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const limit = AbortSignal.timeout(START_TIMEOUT_MS);
    // After a kill the server ends at once while processes of its last run use the shared memory.
    while (!limit.aborted) {
      child = processes.start(join(programs, 'postgres'), ['-D', data, ...args], {
        ...options,
        stdio: ['ignore', 'ignore', process.env.TEST_LOG_LEVEL === undefined ? 'ignore' : 'inherit'],
      });
      const ended = new AbortController();
      void child.ended.then(() => ended.abort());
      const signal = AbortSignal.any([ended.signal, limit]);
      try {
        while (!(await acceptsSessions(port))) await sleep(POLL_MS, null, { signal });
        return;
      } catch {
        await kill();
        await sleep(POLL_MS);
      }
    }
    throw new SetupFault(`${join(programs, 'postgres')} did not start.`);
  }

  async function kill(signal = 'SIGKILL') {
    child?.kill(signal);
    await child?.ended;
  }

  async function stop() {
    // A fast shutdown; SIGTERM would wait for the clients.
    child?.kill('SIGINT');
    if (child !== null) await Promise.race([child.ended, sleep(STOP_GRACE_MS, null, { ref: false })]);
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  await start();
  return {
    urlOf: (database, at = port) => `postgres://${USER}@127.0.0.1:${at}/${database}`,
    port,
    data,
    pid: () => child.pid,
    kill,
    start,
    stop,
  };
}

function hasMemory() {
  if (!existsSync('/dev/shm')) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= MIN_MEMORY_BYTES;
}

/** Copies the programs that were fetched from npm to a place that the ordinary user can read. */
function copyPrograms(programs, folder) {
  const copy = join(folder, 'programs');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Whether the server answers a session: `R` (authentication), or `E` while it starts
 * (postgresql.org/docs/current/protocol-message-formats.html).
 */
function acceptsSessions(port) {
  return new Promise((resolve) => {
    const connection = connect(port, '127.0.0.1');
    const finish = (answer) => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(1_000, () => finish(false));
    connection.once('connect', () => {
      const body = Buffer.from(`\0\x03\0\0user\0${USER}\0database\0postgres\0\0`, 'latin1');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(body.length + 4);
      connection.write(Buffer.concat([length, body]));
    });
    connection.once('data', (data) => finish(data.toString('latin1').startsWith('R')));
    connection.once('error', () => finish(false));
    connection.once('close', () => finish(false));
  });
}
