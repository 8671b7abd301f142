/** `npm start`: sets everything up, then runs web and daemon until Ctrl-C. */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { BUILD, ROOT } from '../project.mjs';
import { runStack } from '../processes/stack.mjs';

// The Procfile's command line, with its limits of memory, without npm in between, because npm does not forward signals reliably.
function packageScript(name) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { command: 'sh', args: ['-c', scripts[name]] };
}

await runCommand(
  (frame) =>
    runStack(frame, {
      parts: ['web', 'daemon', 'sandbox'],
      programs: ({ PATH }) => {
        const path = [join(ROOT, 'node_modules', '.bin'), PATH].join(delimiter);
        return {
          web: { ...packageScript('start:web'), env: { NODE_ENV: 'production', PATH: path } },
          daemon: { ...packageScript('start:daemon'), env: { PATH: path } },
          sandbox: { command: process.execPath, args: [join(BUILD, 'sandbox/main.js')] },
        };
      },
    }),
  { stoppedCode: 0 },
);
