/**
 * Run by the git hook `scripts/hooks/pre-commit`: checks the staged files with Oxlint and Oxfmt. They are checked as they
 * are staged, in a copy of the index: what is not staged neither hides a fault nor causes one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../project.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';
import { LINT, FORMAT, installed } from './checks.mjs';
import { runCommand } from './run-command.mjs';

const PATHS_PER_RUN = 500;
const OUTPUT_LINES = 1_000;
const IS_LINTED = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const ADVICE = ['`npm run format` formats. To commit without these checks: git commit --no-verify'];

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

await runCommand(async ({ processes, reporter, atEnd }) => {
  const staged = git('diff', '--cached', '--name-only', '--diff-filter=ACMRT', '-z')
    .split('\0')
    .filter(Boolean);
  if (staged.length === 0) return 0;
  const copy = mkdtempSync(join(tmpdir(), 'packwatch-staged-'));
  atEnd(() => rmSync(copy, { recursive: true, force: true }));
  git('checkout-index', '--all', `--prefix=${copy}/`);
  symlinkSync(installed(), join(copy, 'node_modules'));

  async function check(name, args, files) {
    for (let first = 0; first < files.length; first += PATHS_PER_RUN) {
      const paths = files.slice(first, first + PATHS_PER_RUN);
      const options = ['--no-error-on-unmatched-pattern', ...paths];
      const { ok, output } = await processes.run(process.execPath, [...args, ...options], {
        cwd: copy,
        lastLines: OUTPUT_LINES,
      });
      if (!ok)
        throw new SetupFault(`The staged files do not pass: ${name}.`, { log: output, advice: ADVICE });
    }
  }
  await reporter.runStep('lint and format of the staged files', async () => {
    await check(
      'lint',
      LINT,
      staged.filter((path) => IS_LINTED.test(path)),
    );
    await check('format', FORMAT, staged);
  });
  return 0;
});
