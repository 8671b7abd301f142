import { defineConfig, devices } from 'playwright/test';

const chromium = process.env.PACKWATCH_CHROMIUM;

const desktop = {
  ...devices['Desktop Chrome'],
  launchOptions: {
    ...(chromium === undefined ? {} : { executablePath: chromium }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  },
};

/** Tests that wait for processes to start or to end, and hardly use a browser. */
const processTests = ['npm-start', 'killed-upload', 'locked-database'].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: 'tests/e2e',
  // Tests change the shop and the settings of their stack, so each worker has its own stack and runs one test at a time.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // Generous: a slow machine must not fail a test.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test that only makes sense with scripts, or only without, carries a tag.
  projects: [
    // Runs in parallel to the others, and starts first because it takes longest.
    { name: 'processes', testMatch: processTests, workers: 1, timeout: 300_000, use: desktop },
    { name: 'chromium', testIgnore: processTests, use: desktop, grepInvert: /@no-scripts/ },
    {
      name: 'chromium-no-js',
      testIgnore: processTests,
      use: { ...desktop, javaScriptEnabled: false },
      grepInvert: /@scripts/,
    },
  ],
});
