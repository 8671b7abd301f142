import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Hashes the names and contents of files and folders below `root`. A missing path counts as empty; `skip(path)` excludes
 * files.
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

/** Whether a file holds tests. Tests are not built, so their changes need no build. */
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
