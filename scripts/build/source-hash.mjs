import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One hash over the names and contents of files and folders below `root`. A path that does not exist counts
 * as empty; `skip(path)` leaves files out.
 */
export function hashSources(root, paths, skip = () => false) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of listFiles(root, path)) {
      if (skip(file)) continue;
      hash.update(`${file}\0`).update(
        createHash('sha256')
          .update(readFileSync(join(root, file)))
          .digest(),
      );
    }
  }
  return hash.digest('hex');
}

/** Whether a file holds tests: it is neither built nor a reason to build. */
export function isTest(path) {
  return /\.test\.[a-z]+$/.test(path);
}

function listFiles(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(root, join(path, name)));
}
