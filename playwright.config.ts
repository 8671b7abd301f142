import { statfsSync } from 'node:fs';
import { defineConfig, devices } from 'playwright/test';

const chromium = process.env.PACKWATCH_CHROMIUM;

const SHARED_MEMORY = '/dev/shm';
const SHARED_MEMORY_NEEDED = 1024 ** 3;

/** Whether Chromium's shared memory has room in /dev/shm. Containers often have 64 MB there (docs.docker.com, `--shm-size`). */
function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= SHARED_MEMORY_NEEDED;
  } catch {
    return false;
  }
}

const desktop = {
  ...devices['Desktop Chrome'],
  launchOptions: {
    ...(chromium === undefined ? {} : { executablePath: chromium }),
    // With this option of Playwright's the shared memory is in files of the temporary folder, which a disk's file system
    // takes long to create and to delete.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of one site share a renderer process: `tests/e2e/test.ts` keeps one alive from test to test.
      '--process-per-site',
      // A new page opens in the renderer process of its context's other pages; else it would begin in a separate process.
      '--renderer-process-limit=1',
      // Pages live for seconds: what V8's optimising compilers gain is less than what they cost.
      '--js-flags=--no-opt --no-maglev',
      // Fewer processes and threads for the same work.
      '--enable-features=NetworkServiceInProcess2',
      '--num-raster-threads=1',
      '--disable-software-rasterizer',
    ],
  },
};

/** Tests that mostly wait for processes to start or to end, and hardly use the browser. */
const processTests = ['npm-start', 'killed-upload', 'locked-database'].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  // Tests change the shop and the settings of their stack, so each worker has its own stack and runs its tests in sequence.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // Generous, so that no test fails on a busy machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  projects: [
    // Starts first, with a separate worker, because it takes as long as the other projects together.
    { name: 'processes', testMatch: processTests, workers: 1, timeout: 300_000, use: desktop },
    { name: 'pages', testIgnore: processTests, use: desktop },
  ],
});
