import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFault } from './setup-fault.mjs';

/**
 * Installs one package of exactly this version from npm in the folder `draft`, without install scripts, and returns the
 * package's folder. With `integrity` (npm's own form, `sha512-…`) the package must have that content. Throws a `SetupFault`
 * with npm's output.
 */
export async function unpackNpmPackage(name, version, { draft, processes, integrity = null }) {
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const [npm, ...first] = npmCommand();
  const options = ['--prefix', draft, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { ok, output } = await processes.run(npm, [...first, 'install', ...options, `${name}@${version}`]);
  if (!ok) throw new SetupFault(`${name} ${version} could not be fetched from npm.`, { log: output });

  const modules = join(draft, 'node_modules');
  if (integrity !== null && recordedIntegrity(modules, name) !== integrity)
    throw new SetupFault(`The content of ${name} ${version} on npm is not the expected one.`);
  return join(modules, name);
}

// npm records what it has installed, and has compared it with the archive (docs.npmjs.com, package-lock.json, "Hidden
// Lockfiles").
function recordedIntegrity(modules, name) {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  return packages[`node_modules/${name}`]?.integrity;
}

/** The command line of npm: the npm that runs this command, else the one on the PATH. */
export function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js') && existsSync(script) ? [process.execPath, script] : ['npm'];
}
