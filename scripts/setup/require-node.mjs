/** Imported before web and daemon: prints a sentence and exits with 1 when this Node is too old for them. */
import { describeOldNode, isSupportedNode } from './node-version.mjs';

if (!isSupportedNode()) {
  process.stderr.write(`${describeOldNode()}\n`);
  process.exit(1);
}
