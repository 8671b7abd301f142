import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project.mjs';
import { SetupFault } from './setup-fault.mjs';

/** The Node releases that the project is tested with, by major version. */
export const NODE_RELEASES = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };

/** The major version that is fetched when the machine's Node is too old, and that runs the tests. */
export const REFERENCE_MAJOR = 24;

/** A release that is too old, for the tests of this case. */
export const OLD_RELEASE = '20.20.2';

/** The oldest Node that package.json allows, as in its `"engines": { "node": ">=22.19.0" }`. */
function oldestAllowed() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return engines.node.replace('>=', '').split('.').map(Number);
}

/** Whether a Node version such as `24.21.0` satisfies package.json's "engines". */
export function isSupportedNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestAllowed();
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** The error message for an unsupported Node. */
export function describeOldNode(version = process.versions.node) {
  return `Packwatch needs Node ${oldestAllowed().slice(0, 2).join('.')} or newer; this is Node ${version}.`;
}

/** Throws a `SetupFault` when this Node is older than package.json's "engines" allow. */
export function requireNodeVersion(version = process.versions.node) {
  if (isSupportedNode(version)) return;
  throw new SetupFault(describeOldNode(version), {
    advice: ['Run the command through npm, which fetches a current Node: npm start, npm test, npm run …'],
  });
}
