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

/** Tests that wait for processes to start or to end, and use no browser worth speaking of. */
const processTests = ['npm-start', 'killed-upload', 'locked-database'].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: 'tests/e2e',
  // Tests switch their stack's shop and settings, so each worker has a stack of its own, and its tests take turns.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // Far more than anything takes: a busy machine is no failure.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test that only makes sense with scripts, or only without, carries a tag.
  projects: [
    // A lane of its own, which begins first and takes as long as the others together.
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
