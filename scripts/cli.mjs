/**
 * `node scripts/cli.mjs NAME ARGS…`: a command line tool of daemon/cli, built first when its sources changed. In
 * production what was deployed is run as it stands.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runCommand } from './command.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { BUILD } from './project.mjs';
import { adoptRunningEnvironment } from './running-environment.mjs';
import { SetupFault } from './setup-fault.mjs';

const [name = '', ...args] = process.argv.slice(2);
const program = join(BUILD, 'daemon', 'cli', `${name}.js`);

await runCommand(
  async ({ processes, reporter }) => {
    if (process.env.NODE_ENV !== 'production') {
      await ensureDependencies({ processes, reporter });
      await ensureBuilt(['daemon'], { processes, reporter });
    }
    if (!/^[\w-]+$/.test(name) || !existsSync(program))
      throw new SetupFault(`There is no command called "${name}".`);
  },
  { stream: process.stderr },
);

if (process.exitCode === 0) {
  adoptRunningEnvironment();
  process.setSourceMapsEnabled(true);
  process.exitCode = undefined;
  // The tool runs in this process: its exit code, its signals and its output are its own.
  process.argv = [process.argv[0], program, ...args];
  await import(pathToFileURL(program).href);
}
