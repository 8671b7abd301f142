import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { libraryFolders, unpackDebianPackage } from './debian-packages.mjs';
import { waitForLock } from '../processes/lock-file.mjs';
import { TOOLS } from '../project.mjs';

/** Path of the first of the named programs on the PATH, or null. */
export function findOnPath(names, path = process.env.PATH ?? '') {
  for (const name of names) {
    for (const folder of path.split(delimiter)) {
      if (folder === '') continue;
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

/** Path of the start script of an unpacked program, or null. */
export function findUnpackedTool(name) {
  const script = startScript(name);
  return existsSync(script) ? script : null;
}

/**
 * Unpacks a distribution package and returns the path of a script that starts `program` (a path inside the package) with
 * the unpacked libraries. `finish(target)` can add files. The script is written last, so an interrupted attempt leaves none.
 */
export async function unpackTool(name, { packageName, program, processes, finish = () => {} }) {
  mkdirSync(TOOLS, { recursive: true });
  const lock = await waitForLock(join(TOOLS, `${name}.lock`), {
    details: { reaper: processes.reaperIdentity() },
  });
  try {
    const script = startScript(name);
    if (existsSync(script)) return script;
    const target = join(TOOLS, name);
    await unpackDebianPackage(packageName, { target, scratch: join(TOOLS, `${name}.apt`), processes });
    finish(target);
    const draft = `${script}.draft`;
    writeFileSync(draft, startScriptText(target, program));
    chmodSync(draft, 0o755);
    renameSync(draft, script);
    return script;
  } finally {
    lock.release();
  }
}

/** Removes an unpacked program that does not run. */
export function removeUnpackedTool(name) {
  rmSync(startScript(name), { force: true });
  rmSync(join(TOOLS, name), { recursive: true, force: true });
}

function startScript(name) {
  return join(TOOLS, `${name}.sh`);
}

// Paths are relative to the script, so that the repository can be moved.
function startScriptText(target, program) {
  const libraries = libraryFolders(target).map((folder) => `$root${folder.slice(target.length)}`);
  return [
    '#!/bin/sh',
    'root="$(cd "$(dirname "$0")" && pwd)/$(basename "$0" .sh)"',
    `LD_LIBRARY_PATH="${libraries.join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    'if [ -f "$root/fonts.conf" ]; then FONTCONFIG_FILE="$root/fonts.conf"; export FONTCONFIG_FILE; fi',
    'export LD_LIBRARY_PATH',
    `exec "$root/${program}" "$@"`,
    '',
  ].join('\n');
}
