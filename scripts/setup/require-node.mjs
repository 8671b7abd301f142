/** Prints a sentence and exits with 1 when this Node is too old for web and daemon. */
import { describeOldNode, isSupportedNode } from './node-version.mjs';

if (!isSupportedNode()) {
  process.stderr.write(`${describeOldNode()}\n`);
  process.exitCode = 1;
}
