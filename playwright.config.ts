import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';

const globalSetup = fileURLToPath(new URL('tests/e2e/global-setup.ts', import.meta.url));
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
  ...(existsSync(globalSetup) ? { globalSetup } : {}),
  // One stack serves all tests, and they switch its shop.
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  // A test that only makes sense with scripts, or only without, carries a tag.
  projects: [
    { name: 'chromium', use: desktop, grepInvert: /@no-scripts/ },
    { name: 'chromium-no-js', use: { ...desktop, javaScriptEnabled: false }, grepInvert: /@scripts/ },
  ],
});
