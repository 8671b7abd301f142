import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFault } from './setup-fault.mjs';

/** Whether this is Debian or a derivative with the tools to download and unpack packages. */
export function hasDebianPackages() {
  return ['/usr/bin/apt-get', '/usr/bin/dpkg', '/var/lib/dpkg/status'].every((path) => existsSync(path));
}

/** The ID in os-release(5): `debian`, `ubuntu`, … */
export function distributionName() {
  try {
    return /^ID="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/**
 * Unpacks a distribution package and its missing dependencies into the folder `target`, without root and without changes to
 * the system: apt keeps its lists and archives beside `target` for this run. Throws a `SetupFault` with apt's output.
 */
export async function unpackDebianPackage(name, { target, processes }) {
  const scratch = `${target}.apt`;
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'log'])
    mkdirSync(join(scratch, folder), { recursive: true });
  const run = async (command, args) => {
    const result = await processes.run(command, args, {
      env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (!result.ok)
      throw new SetupFault(`The package ${name} could not be fetched from the distribution.`, {
        log: result.output,
      });
    return result;
  };
  const apt = (args, command = 'apt-get') => run(command, [...aptOptions(scratch), ...args]);
  await apt(['update']);
  const facts = (await apt(['show', '--no-all-versions', name], 'apt-cache')).output;
  // apt leaves out what is installed. The parts of the same program must be in `target`, too: they link to each other.
  const parts = partsOf(facts);
  await apt([
    'install',
    '--download-only',
    '--reinstall',
    '--yes',
    '--no-install-recommends',
    name,
    ...parts,
  ]);

  const archives = join(scratch, 'cache', 'archives');
  for (const file of readdirSync(archives)) {
    // The C library must match the system's loader, so it is not unpacked.
    if (file.endsWith('.deb') && !/^libc(6|-bin)_/.test(file))
      await run('dpkg', ['-x', join(archives, file), target]);
  }
  rmSync(scratch, { recursive: true, force: true });
}

/** The packages that a package needs in its own exact version (deb-control(5)): other parts of the same program. */
export function partsOf(fields) {
  const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(fields)?.[1] ?? '';
  const version = field('Version');
  return [field('Pre-Depends'), field('Depends')]
    .flatMap((list) => list.split(/[,|]/))
    .map((entry) => /^\s*([a-z0-9][a-z0-9+.-]*)(?::\w+)?\s*\(= ([^)]+)\)/.exec(entry))
    .flatMap((found) => (found !== null && found[2] === version ? [found[1]] : []));
}

// apt.conf(5), apt-get(8): apt writes only below `scratch`; it reads the system's sources, keys and package status. Locks
// and the download user are needed only for the system's folders.
function aptOptions(scratch) {
  const settings = {
    'Dir::State': join(scratch, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(scratch, 'cache'),
    'Dir::Log': join(scratch, 'log'),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': 'root',
    'APT::Get::AllowUnauthenticated': 'false',
    'APT::Keep-Downloaded-Packages': '1',
    'Acquire::Retries': '3',
    'Acquire::Languages': 'none',
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
}
