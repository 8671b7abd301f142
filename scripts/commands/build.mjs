/** `npm run build` for production. `--force`: even when nothing changed; names (`web`, `daemon`, …): only these parts. */
import { PRODUCT_PARTS, ensureBuilt } from '../build/ensure-built.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { readArguments, runCommand } from './run-command.mjs';

await runCommand(async ({ processes, reporter }) => {
  const { values, positionals } = readArguments({ force: { type: 'boolean', default: false } });
  await ensureDependencies({ processes, reporter });
  await ensureBuilt(positionals.length === 0 ? PRODUCT_PARTS : positionals, {
    processes,
    reporter,
    force: values.force,
  });
  reporter.print('✓ build/ is up to date.');
});
