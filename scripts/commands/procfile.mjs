/**
 * `node scripts/commands/procfile.mjs`: runs the Procfile's `release` line, then its other processes side by side, for
 * hosts where the volume with the database belongs to one machine. When one process ends, this stops the others and exits,
 * so that the host restarts everything.
 */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from './run-command.mjs';
import { ROOT } from '../project.mjs';
import { SetupFault } from '../setup/setup-fault.mjs';

const STOP_GRACE_MS = 15_000;

/** The Procfile's lines as `{ name: command line }`. */
export function parseProcfile(text) {
  return Object.fromEntries(
    [...text.matchAll(/^([\w-]+):\s*(.+)$/gm)].map(([, name, line]) => [name, line.trim()]),
  );
}

/**
 * The command behind `npm run NAME`, because npm does not forward signals reliably. Other lines are returned unchanged.
 */
export function withoutNpm(line, scripts) {
  const name = /^npm run ([\w:-]+)$/.exec(line)?.[1];
  return name === undefined ? line : (scripts[name] ?? line);
}
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(
    async ({ processes, reporter, stop, stopped, onStop }) => {
      const lines = parseProcfile(readFileSync(join(ROOT, 'Procfile'), 'utf8'));
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      const { release, ...services } = lines;
      const env = {
        ...process.env,
        PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      };
      const start = (line) =>
        processes.start('sh', ['-c', withoutNpm(line, scripts)], {
          env,
          stdio: ['ignore', 'inherit', 'inherit'],
        });

      if (release !== undefined) {
        const { code } = await start(release).ended;
        if (code !== 0) throw new SetupFault('The release command failed; nothing was started.');
      }
      const children = Object.values(services).map(start);
      onStop(async () => {
        await Promise.all(children.map((child) => processes.stop(child, STOP_GRACE_MS)));
      });
      const ended = await Promise.race(
        Object.keys(services).map(async (name, index) => ({ name, ...(await children[index].ended) })),
      );
      if (!stopped.aborted) {
        reporter.print(
          `! ${ended.name} ended (${ended.signal ?? `exit code ${ended.code}`}), so everything is stopped.`,
        );
        stop(1);
      }
      await new Promise(() => {});
    },
    { stoppedCode: 0 },
  );
}
