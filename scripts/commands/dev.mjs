/** `npm run dev`: web with hot reload, daemon with restart on change, sandbox. */
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
      // The command line tools that migrate and seed are run from the bundle.
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
