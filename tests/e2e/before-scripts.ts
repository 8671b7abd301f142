import type { Page } from 'playwright/test';

/**
 * Opens a page as over a slow line: `work` finds what the server sent, before any script runs. Then they run, and the
 * page is live on return.
 */
export async function openBeforeScripts(page: Page, path: string, work: () => Promise<void>): Promise<void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await work();
  letGo();
  await page.evaluate(() => window.untilLive);
}
