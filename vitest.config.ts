import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { '~': fileURLToPath(new URL('./app', import.meta.url)) };

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: [
            '{app,daemon,shared,sandbox,migrations,scripts}/**/*.test.{ts,tsx,mjs}',
            'tests/unit/**/*.test.ts',
          ],
          // Far more than any takes: a busy machine is no failure.
          testTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/integration/global-setup.ts'],
          // Most of these tests wait for something: more of them than cores may run at once.
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // `npm test` runs these without --node, once it has fetched the other Nodes.
        test: {
          name: 'node-versions',
          sequence: { groupOrder: 2 },
          include: ['tests/node-versions/**/*.test.ts'],
        },
      },
    ],
  },
});
