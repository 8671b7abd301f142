/** Ends with exit code 1 and one sentence when this Node is too old to load what web and daemon are made of. */
import { describeOldNode, isSupportedNode } from './node-version.mjs';

if (!isSupportedNode()) {
  process.stderr.write(`${describeOldNode()}\n`);
  process.exitCode = 1;
}
