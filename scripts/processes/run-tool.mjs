/** `node run-tool.mjs PROGRAM ARGS…`: runs a built command of daemon/cli, prints its result, and ends with its exit code. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// What a command creates (the database, copies of it) is its owner's only.
process.umask(0o077);
const [program = '', ...args] = process.argv.slice(2);
const { tool } = await import(pathToFileURL(resolve(program)).href);
const { code, stdout, stderr } = await tool(args, process.env, (line) => process.stderr.write(`${line}\n`));
process.stderr.write(stderr);
process.stdout.write(stdout);
process.exit(code);
