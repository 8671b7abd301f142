/** The checks of `npm test` and `npm run validate` that run no test. */
import { join } from 'node:path';
import { PRODUCT_VARIABLES, ROOT } from '../project.mjs';

/** A path in the folder of the installed packages. */
export const installed = (...path) => join(ROOT, 'node_modules', ...path);

export const LINT = [
  installed('oxlint', 'bin', 'oxlint'),
  '--deny-warnings',
  '--report-unused-disable-directives',
];
export const FORMAT = [installed('oxfmt', 'bin', 'oxfmt'), '--check'];

/** The arguments of Node for each check, by the check's name. */
export const CHECKS = {
  // With one thread it takes the least processor time; the other checks use the other cores.
  'type check': [installed('typescript-7', 'bin', 'tsc'), '--noEmit', '--singleThreaded', '-p', '.'],
  lint: [...LINT, '.'],
  format: [...FORMAT, '.'],
  knip: [installed('knip', 'bin', 'knip.js')],
  'lock file': [join(ROOT, 'scripts', 'build', 'check-lockfile.mjs')],
};

/** The environment without the product's variables: tests run the same everywhere. */
export function testEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !PRODUCT_VARIABLES.includes(name)),
  );
}
