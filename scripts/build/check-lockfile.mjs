/** Checks that package-lock.json contains no download URLs and every optional package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../project.mjs';

/** The faults of a lock file: npm drops optional packages that it cannot resolve, and `npm ci` elsewhere needs them. */
export function findLockfileFaults({ packages }) {
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  const locked = new Set(
    entries.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  return entries.flatMap(([path, entry]) => [
    ...(entry.resolved === undefined || entry.link === true ? [] : [`${path} names a download address.`]),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !locked.has(name))
      .map((name) => `${path} wants ${name}, which has no entry.`),
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = findLockfileFaults(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
