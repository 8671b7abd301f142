/**
 * `npm run validate`: the checks and the unit tests, in under a minute, without Redis, builds and browsers. It leaves out
 * the tests of the sandbox and those that vitest.config.ts calls long.
 */
import { ensureDependencies } from '../setup/dependencies.mjs';
import { SetupFault, describeFault } from '../setup/setup-fault.mjs';
import { CHECKS, installed, testEnvironment } from './checks.mjs';
import { runCommand } from './run-command.mjs';

const OUTPUT_LINES = 1_000;
const STEPS = {
  ...CHECKS,
  'unit tests': [installed('vitest', 'vitest.mjs'), 'run', '--project=unit', '--reporter=dot'],
};

await runCommand(async ({ processes, reporter, stopped }) => {
  await ensureDependencies({ processes, reporter });
  const env = testEnvironment();
  const results = await Promise.allSettled(
    Object.entries(STEPS).map(([name, args]) =>
      reporter.runStep(name, async () => {
        const { ok, output } = await processes.run(process.execPath, args, { env, lastLines: OUTPUT_LINES });
        if (!ok) throw new SetupFault(`${name} failed.`, { log: output });
      }),
    ),
  );
  stopped.throwIfAborted();
  const faults = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  for (const fault of faults) reporter.print(`\n${describeFault(fault)}`);
  return faults.length === 0 ? 0 : 1;
});
