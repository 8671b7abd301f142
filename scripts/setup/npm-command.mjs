import { existsSync } from 'node:fs';

/** npm as a command line: the npm that runs this command, else the one on the PATH. */
export function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js') && existsSync(script) ? [process.execPath, script] : ['npm'];
}
