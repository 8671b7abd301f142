import { defineProject } from 'vitest/config';

/** The tests of the sandbox, alone (`npm test -w sandbox`) or as a project of the tests of the whole repository. */
export default defineProject({
  test: {
    name: 'sandbox',
    include: ['**/*.test.ts'],
    // These tests share no state, so the files of a worker evaluate their common modules once.
    isolate: false,
    // The number of the other projects (vitest.config.ts of the repository): files of all projects run side by side.
    maxWorkers: 5,
    // Generous, so that no test fails on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000, interval: 40 } },
  },
});
