import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraryFolders, unpackDebianPackage } from './debian-packages.mjs';
import { waitForLock } from '../processes/lock-file.mjs';
import { TOOLS } from '../project.mjs';

/** Path of the start script of a program that was unpacked earlier, or null. */
export function findUnpackedTool(name) {
  const script = startScript(name);
  return existsSync(script) ? script : null;
}

/**
 * Unpacks the distribution's package and returns the path of a script that starts `program` (a path inside
 * the package) with the libraries that came along; `finish(target)` may add files. The script is written last,
 * so an interrupted attempt counts as none.
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

/** Forgets an unpacked program that turned out not to run. */
export function removeUnpackedTool(name) {
  rmSync(startScript(name), { force: true });
  rmSync(join(TOOLS, name), { recursive: true, force: true });
}

function startScript(name) {
  return join(TOOLS, `${name}.sh`);
}

// Paths are found from the script's own place, so the repository may be moved.
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
