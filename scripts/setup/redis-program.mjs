import { join } from 'node:path';
import { distributionName, hasDebianPackages, unpackDebianPackage } from './debian-packages.mjs';
import { SetupFault } from './setup-fault.mjs';
import { findOnPath, findUnpackedTool, removeUnpackedTool, unpackTool } from './tools.mjs';

const NAMES = ['redis-server', 'valkey-server'];

/** Path of a Redis or Valkey server: on the PATH, unpacked, from a package, or Homebrew. Throws a `SetupFault` with advice. */
export async function findRedisProgram({ processes, reporter }) {
  const found = findOnPath(NAMES) ?? findUnpackedTool('redis');
  if (found !== null) return found;
  if (hasDebianPackages()) return unpackRedis({ processes, reporter });
  const brew = process.platform === 'darwin' ? findOnPath(['brew']) : null;
  if (brew !== null) return installWithHomebrew(brew, { processes, reporter });
  throw missingRedis();
}

async function unpackRedis({ processes, reporter }) {
  let log = '';
  for (const name of NAMES) {
    try {
      const program = await reporter.runStep(
        `Unpacking ${name} from ${distributionName()}'s packages (once, without root)`,
        () =>
          unpackTool('redis', {
            program: `usr/bin/${name}`,
            unpack: (target) => unpackDebianPackage(name, { target, processes }),
            processes,
          }),
      );
      const started = await processes.run(program, ['--version']);
      if (started.ok) return program;
      log = started.output;
      removeUnpackedTool('redis');
    } catch (error) {
      if (!(error instanceof SetupFault)) throw error;
      log = error.log;
    }
  }
  throw missingRedis(log);
}

async function installWithHomebrew(brew, { processes, reporter }) {
  const place = async () => {
    const { ok, output } = await processes.run(brew, ['--prefix', 'redis']);
    return ok ? findOnPath(NAMES, join(output.trim(), 'bin')) : null;
  };
  const present = await place();
  if (present !== null) return present;
  const installed = await reporter.runStep('Installing Redis with Homebrew (once)', () =>
    processes.run(brew, ['install', 'redis']),
  );
  const program = await place();
  if (program === null) throw missingRedis(installed.output);
  return program;
}

function missingRedis(log = '') {
  return new SetupFault(
    'No Redis found: install redis (or valkey) with your package manager, or set REDIS_URL to one that runs.',
    { log },
  );
}
