/** `node scripts/commands/cli.mjs NAME ARGS…` runs a command of daemon/cli; builds it if stale, except in production. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../build/ensure-built.mjs';
import { runCommand } from './run-command.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { BUILD } from '../project.mjs';
import { adoptRunningEnvironment } from '../processes/running-environment.mjs';
import { SetupFault, describeFault } from '../setup/setup-fault.mjs';

const [name = '', ...args] = process.argv.slice(2);
const program = join(BUILD, 'daemon', 'cli', `${name}.js`);

async function prepare({ processes, reporter }) {
  if (process.env.NODE_ENV !== 'production') {
    await ensureDependencies({ processes, reporter });
    await ensureBuilt(['daemon'], { processes, reporter });
  }
  if (!/^[\w-]+$/.test(name) || !existsSync(program))
    throw new SetupFault(`There is no command called "${name}".`);
}

await runCommand(
  (frame) =>
    prepare(frame).catch((error) => {
      // With --json the last line is one object, also when the set-up fails.
      if (args.includes('--json')) {
        const message = error instanceof SetupFault ? error.message : describeFault(error);
        process.stdout.write(`${JSON.stringify({ success: false, code: 'setup_failed', message })}\n`);
      }
      throw error;
    }),
  { stream: process.stderr },
);

if (process.exitCode === 0) {
  adoptRunningEnvironment();
  process.setSourceMapsEnabled(true);
  process.exitCode = undefined;
  // The command runs in this process, so exit code, signals and output are its own.
  process.argv = [process.argv[0], program, program, ...args];
  await import('../processes/run-tool.mjs');
}
