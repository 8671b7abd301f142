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

export default defineConfig({
  testDir: 'tests/e2e',
  // Tests switch their stack's shop and settings, so each worker has a stack of its own, and its tests take turns.
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  // Far more than anything takes: a busy machine is no failure.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test that only makes sense with scripts, or only without, carries a tag.
  projects: [
    { name: 'chromium', use: desktop, grepInvert: /@no-scripts/ },
    { name: 'chromium-no-js', use: { ...desktop, javaScriptEnabled: false }, grepInvert: /@scripts/ },
  ],
});
