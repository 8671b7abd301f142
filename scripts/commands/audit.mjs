/**
 * `npm run audit`: writes the list of all production dependencies (build/sbom.json, CycloneDX), then asks the registry for
 * advisories about them. Fails for a high or critical one that docs/advisories.json does not accept. A registry that
 * cannot be reached, or that has no advisories, does not fail it.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAdvisories, readAdvisories } from '../build/audit-policy.mjs';
import { ROOT } from '../project.mjs';
import { npmCommand } from '../setup/npm-package.mjs';
import { runCommand } from './run-command.mjs';

const LIMIT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
// Without the sandbox, which is no part of the product.
const PRODUCTION = ['--omit=dev', '--workspaces=false', '--package-lock-only'];
// Without them npm repeats the request for minutes when there is no network.
const NO_PATIENCE = ['--fetch-retries=0', '--fetch-timeout=15000'];

/** Runs npm in the project. Returns what it printed as an object, or null. */
function npmJson(args) {
  const [command, ...first] = npmCommand();
  const options = { cwd: ROOT, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    // npm audit exits with 1 when it finds something.
    execFile(command, [...first, ...args], options, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        resolve(null);
      }
    });
  });
}

await runCommand(async ({ reporter }) => {
  const sbom = await npmJson(['sbom', '--sbom-format=cyclonedx', ...PRODUCTION]);
  if (!Array.isArray(sbom?.components)) {
    reporter.print('✗ npm sbom failed: package-lock.json and package.json may disagree.');
    return 1;
  }
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  writeFileSync(join(ROOT, 'build', 'sbom.json'), `${JSON.stringify(sbom, null, 2)}\n`);
  reporter.print(`✓ build/sbom.json lists ${sbom.components.length} production dependencies.`);

  const policy = JSON.parse(readFileSync(join(ROOT, 'docs', 'advisories.json'), 'utf8'));
  const advisories = readAdvisories(await npmJson(['audit', '--json', ...PRODUCTION, ...NO_PATIENCE]));
  if (advisories === null)
    reporter.print('• The registry gave no advisories (no network, or it has none): nothing was audited.');
  const today = new Date().toISOString().slice(0, 10);
  const { failures, notes } = judgeAdvisories(advisories ?? [], policy, today);
  for (const note of notes) reporter.print(`• ${note}`);
  for (const failure of failures) reporter.print(`✗ ${failure}`);
  if (advisories !== null && failures.length === 0) reporter.print('✓ No high or critical advisory is open.');
  return failures.length === 0 ? 0 : 1;
});
