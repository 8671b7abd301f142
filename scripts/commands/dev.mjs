/** `npm run dev`: runs web with hot reload, the daemon with restart on change, and the sandbox. */
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { ROOT } from '../project.mjs';
import { runStack } from '../processes/stack.mjs';

const installed = (...path) => join(ROOT, 'node_modules', ...path);
const tsx = (...args) => ({
  command: process.execPath,
  args: [installed('tsx', 'dist', 'cli.mjs'), ...args],
});

await runCommand(
  (frame) =>
    runStack(frame, {
      // The migrate and seed commands run from the bundle.
      parts: ['daemon'],
      programs: ({ PORT }) => ({
        web: {
          command: process.execPath,
          args: [
            installed('@remix-run', 'dev', 'dist', 'cli.js'),
            'vite:dev',
            '--port',
            PORT,
            '--strictPort',
          ],
        },
        daemon: tsx('watch', '--clear-screen=false', 'daemon/main.ts'),
        sandbox: tsx('sandbox/main.ts'),
      }),
    }),
  { stoppedCode: 0 },
);
