/**
 * `node scripts/commands/procfile.mjs`: runs the Procfile's `release` line, then its other processes side by side, for
 * hosts where the volume with the database belongs to one machine. A process that ends is started again alone, with
 * growing pauses, because the site and the alerts do not need each other. When one does not stay up, everything is stopped
 * and this exits with 1, so that the host restarts the machine.
 */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from './run-command.mjs';
import { ROOT } from '../project.mjs';
import { createSupervisor, healthAddresses, waitForHealth } from '../processes/supervisor.mjs';
import { SetupFault, describeFault } from '../setup/setup-fault.mjs';

/** The Procfile's lines as `{ name: command line }`. */
export function parseProcfile(text) {
  return Object.fromEntries(
    [...text.matchAll(/^([\w-]+):\s*(.+)$/gm)].map(([, name, line]) => [name, line.trim()]),
  );
}

/** The command behind `npm run NAME`, because npm does not forward signals reliably. Other lines are returned unchanged. */
export function withoutNpm(line, scripts) {
  const name = /^npm run ([\w:-]+)$/.exec(line)?.[1];
  return name !== undefined && Object.hasOwn(scripts, name) ? scripts[name] : line;
}

/** Runs the lines of a Procfile until the command is stopped. `env`: the environment of the processes. */
export async function runProcfile({ processes, reporter, stop, onStop }, { lines, scripts, env }) {
  const { release, ...services } = lines;
  const shell = (line) => ({ command: 'sh', args: ['-c', withoutNpm(line, scripts)] });
  if (release !== undefined) {
    const { command, args } = shell(release);
    const { code } = await processes.start(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
      .ended;
    if (code !== 0) throw new SetupFault('The release command failed; nothing was started.');
  }
  const supervisor = createSupervisor({
    processes,
    reporter,
    onGiveUp: (name, log) => {
      const fault = new SetupFault(`${name} does not stay up, so everything is stopped.`, { log });
      process.stderr.write(`\n${describeFault(fault)}\n`);
      stop(1);
    },
  });
  const health = healthAddresses(env);
  const names = Object.keys(services);
  const answers = (name) => Object.hasOwn(health, name);
  // What copies the database ends after the processes that write it, so that the copy has their last writes.
  onStop(() => supervisor.stop([names.filter(answers), names.filter((name) => !answers(name))]));
  for (const [name, line] of Object.entries(services)) {
    const url = answers(name) ? health[name] : null;
    supervisor
      .start(name, {
        describe: () => ({ ...shell(line), env }),
        ready: (_child, signal) =>
          url === null ? Promise.resolve() : waitForHealth(url, { signal, onNotice: () => {} }),
      })
      // Rejects when everything is stopped.
      .catch(() => {});
  }
  await new Promise(() => {});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(
    (frame) => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      return runProcfile(frame, {
        lines: parseProcfile(readFileSync(join(ROOT, 'Procfile'), 'utf8')),
        scripts,
        env: {
          ...process.env,
          PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
        },
      });
    },
    { stoppedCode: 0 },
  );
}
