import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { waitForLock } from '../processes/lock-file.mjs';
import { TOOLS } from '../project.mjs';

/** Path of the first of the named programs on the PATH, or null. */
export function findOnPath(names, path) {
  return names.flatMap((name) => findAllOnPath(name, path))[0] ?? null;
}

/** Paths of all programs with this name on the PATH, in its order. */
export function findAllOnPath(name, path = process.env.PATH ?? '') {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of the start script of an unpacked program, or null. */
export function findUnpackedTool(name) {
  const script = startScript(name);
  return existsSync(script) ? script : null;
}

/**
 * Unpacks a program and returns the path of a script that starts it with the unpacked libraries and fonts. `unpack(target)`
 * fills the empty folder `target`; `program` is the program's path inside it. The script is written last, so an interrupted
 * attempt leaves none.
 */
export async function unpackTool(name, { program, unpack, processes }) {
  mkdirSync(TOOLS, { recursive: true });
  const lock = await waitForLock(join(TOOLS, `${name}.lock`), {
    details: { reaper: processes.reaperIdentity() },
  });
  try {
    const script = startScript(name);
    if (existsSync(script)) return script;
    const target = join(TOOLS, name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target);
    await unpack(target);
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

/** The folders below `target` that hold shared libraries, for LD_LIBRARY_PATH. */
function libraryFolders(target) {
  const found = [];
  const visit = (folder) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.some((entry) => /^lib.*\.so(\.|$)/.test(entry.name))) found.push(folder);
    for (const entry of entries) if (entry.isDirectory()) visit(join(folder, entry.name));
  };
  for (const folder of ['lib', 'usr/lib']) if (existsSync(join(target, folder))) visit(join(target, folder));
  return found;
}
