/** `npm run bench`: runs the benchmark of tests/bench with a private Redis. Passes its arguments on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../build/ensure-built.mjs';
import { runCommand } from './run-command.mjs';
import { findBrowser } from '../setup/browser.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { startPrivateRedis } from '../processes/private-redis.mjs';
import { BUILD, PRODUCT_VARIABLES } from '../project.mjs';

await runCommand(async ({ processes, reporter, atEnd }) => {
  const program = join(BUILD, 'bench', 'main.js');
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  await ensureDependencies({ processes, reporter });
  await ensureBuilt(['web', 'daemon', 'sandbox', 'bench'], { processes, reporter });

  const browser = process.argv.includes('vitals') ? await findBrowser({ processes, reporter }) : undefined;
  const redis = await startPrivateRedis({ directory: folder, processes, reporter });
  const given = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !PRODUCT_VARIABLES.includes(name)),
  );
  const child = processes.start(process.execPath, [program, ...process.argv.slice(2)], {
    env: {
      ...given,
      REDIS_URL: redis.url,
      DATA_DIR: join(folder, 'data'),
      ...(browser === undefined ? {} : { PACKWATCH_CHROMIUM: browser }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { code } = await child.ended;
  await redis.stop();
  return code ?? 1;
});
