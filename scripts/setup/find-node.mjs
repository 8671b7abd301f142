/**
 * `node scripts/setup/find-node.mjs [--node MAJOR] SCRIPT ARGUMENTS…`: prints the path of the Node to run a script with, and
 * fetches it from npm if necessary. That is this Node if it is supported, else the reference release. With a leading
 * `--node` it is a release of that major version. The last `--node` wins, because npm appends the user's arguments to those
 * of package.json. Runs on Node 18 and newer.
 */
import { runCommand } from '../commands/run-command.mjs';
import { findNodeRelease } from './node-program.mjs';
import { NODE_RELEASES, REFERENCE_MAJOR, isSupportedNode } from './node-version.mjs';
import { SetupFault } from './setup-fault.mjs';

const given = process.argv.slice(2);
const wanted = given[0] === '--node' ? (given[given.lastIndexOf('--node') + 1] ?? '') : null;

await runCommand(
  async (frame) => {
    if (wanted === null && isSupportedNode()) return print(process.execPath);
    const version = NODE_RELEASES[wanted ?? REFERENCE_MAJOR];
    if (version === undefined) {
      throw new SetupFault(`--node takes one of ${Object.keys(NODE_RELEASES).join(', ')}.`);
    }
    const isMachinesOwn = process.versions.node.split('.')[0] === wanted && isSupportedNode();
    return print(isMachinesOwn ? process.execPath : await findNodeRelease(version, frame));
  },
  { stream: process.stderr, anyNode: true },
);

function print(path) {
  process.stdout.write(`${path}\n`);
}
