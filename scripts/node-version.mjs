import { SetupFault } from './setup-fault.mjs';

const MINIMUM = [20, 19];

/** Throws a fault that says what to install when this Node is older than package.json's "engines" allow. */
export function requireNodeVersion(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return;
  throw new SetupFault(`Packwatch needs Node ${MINIMUM.join('.')} or newer; this is Node ${version}.`, {
    advice: [
      'Install a current release from https://nodejs.org or with your version manager, then run the command again.',
    ],
  });
}
