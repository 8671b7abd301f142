import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { devices, type Download, type Page } from 'playwright/test';
import { SECOND } from '#shared/clock';
import { startCuttingProxy } from '../cutting-proxy';
import { programFor } from '../fixtures/releases/programs';
import { setReleases, type ReleaseSeed } from '../fixtures/releases/set-releases';
import { enterWithBeta } from './membership-data';
import { withDatabase } from './news-data';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { expect, MODES, test, type SharedStack } from './test';

const BYTES = 3_000_000;
const RELEASE: ReleaseSeed = {
  version: '1.4.0',
  bytes: BYTES,
  releaseNotes: '# Checkout\n\nIt is **faster**.',
};

// Browsers note a line that breaks, and the refusal of a file that a test removes.
test.use({ notedFaults: /net::ERR_|status of 404/ });

const release = (stack: SharedStack, ...seeds: ReleaseSeed[]) =>
  withDatabase(stack.dataDir, (db) => setReleases(db, stack.dataDir, seeds));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Expects the whole file of the release for Windows, under its name. */
async function expectSaved(download: Download, seed = RELEASE): Promise<void> {
  expect(download.suggestedFilename()).toBe('packwatch-windows.exe');
  const saved = await readFile(await download.path());
  expect(sha256(saved)).toBe(sha256(programFor('windows', { bytes: BYTES, seed: seed.version })));
}

/** Slows down everything that a page downloads: the file takes a minute. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: BYTES / 60,
    uploadThroughput: -1,
  });
}

const card = (page: Page) => page.getByRole('region', { name: 'Desktop app' });

for (const mode of MODES) {
  test(`a member downloads the app by each of the three widgets${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    await release(stack, RELEASE, { version: '1.3.0', releaseNotes: 'Older.' });
    await enterWithBeta(page, stack);
    await page.goto('/dashboard');
    for (const link of [
      card(page).getByRole('link', { name: 'Download for Windows' }),
      page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: 'Download for Windows' }),
    ]) {
      const download = page.waitForEvent('download');
      await link.click();
      await expectSaved(await download);
    }
    await card(page).getByText('What is new in 1.4.0').click();
    await expect(card(page).getByText('It is faster.')).toBeVisible();
    await card(page).getByText('Version 1.3.0').click();
    await expect(card(page).getByText('Older.')).toBeVisible();
    await card(page).getByText('SHA-256').first().click();
    const digest = sha256(programFor('windows', { bytes: BYTES, seed: RELEASE.version }));
    await expect(card(page).getByText(digest)).toBeVisible();
    const actions = page.getByRole('region', { name: 'Quick Actions' });
    await expect(actions.getByText('packwatch-windows.exe, 2.9 MB')).toBeVisible();
    await actions.getByText('SHA-256').first().click();
    await expect(actions.getByText(digest)).toBeVisible();
    if (javaScriptEnabled) await expectNoFaults(page);

    await page.goto('/dashboard/subscription');
    if (javaScriptEnabled) await expectNoFaults(page);
    const download = page.waitForEvent('download');
    await card(page).getByRole('link', { name: 'Download for Windows' }).click();
    await expectSaved(await download);
  });
}

test('a download continues while the member moves between pages, and after the line broke', async ({
  page,
  stack,
}) => {
  await release(stack, RELEASE);
  await enterWithBeta(page, stack);
  const proxy = await startCuttingProxy(Number(new URL(stack.siteUrl).port), [
    { direction: 'down', afterBytes: BYTES / 3 },
    { direction: 'down', afterBytes: BYTES / 3 },
  ]);
  let mend = () => {};
  const mended = new Promise<void>((resolve) => (mend = resolve));
  const ranges: (string | undefined)[] = [];
  await page.route('**/api/downloads/**', async (route) => {
    const { range } = route.request().headers();
    ranges.push(range);
    // Every attempt after the first, with or without a range: a browser may drop bytes that the page has not read yet when
    // the line breaks, perhaps all of them.
    if (ranges.length > 1) await mended;
    await route.continue({
      url: route.request().url().replace(stack.siteUrl, `http://localhost:${proxy.port}`),
    });
  });
  try {
    await page.goto('/dashboard');
    const download = page.waitForEvent('download');
    await card(page).getByRole('link', { name: 'Download for Windows' }).click();
    await expect(card(page).getByText('Downloading Packwatch 1.4.0 for Windows')).toBeVisible();
    await page.getByRole('link', { name: 'News' }).first().click();
    const bar = page.getByRole('region', { name: 'Download' });
    await expect(bar).toBeVisible();
    await expect(bar.getByText('The connection is lost.')).toBeVisible();
    await expect(bar.getByText(/^([0-9]|[12]\d|3[0-3])% of 2\.9 MB$/)).toBeVisible();
    await expectNoFaults(page);
    mend();
    await expectSaved(await download);
    await expect(bar.getByText('Download complete! Open the file to install.')).toBeVisible();
    await expect(bar).toHaveCount(0);
    expect(proxy.cutsMade()).toBe(2);
    expect(ranges.length).toBeGreaterThan(2);
  } finally {
    mend();
    await proxy.close();
  }
});

test('a download is canceled, a withdrawn one is refused, and notices go away @own-context', async ({
  page,
  stack,
}) => {
  await release(stack, RELEASE);
  await enterWithBeta(page, stack);
  await page.clock.install();
  await watchLayout(page);
  await page.goto('/dashboard');
  expect(await layoutShifts(page)).toEqual([]);
  const quick = page.getByRole('region', { name: 'Quick Actions' });
  const link = quick.getByRole('link', { name: 'Download for Windows' });
  await slowDown(page);
  await link.press('Enter');
  await page.clock.runFor(SECOND);
  await expect(quick.getByRole('progressbar')).toBeVisible();
  await quick.getByRole('button', { name: 'Cancel the download' }).press('Enter');
  await expect(quick.getByRole('progressbar')).toHaveCount(0);
  // The keyboard stays where it was.
  expect(await quick.evaluate((area) => area.contains(document.activeElement))).toBe(true);

  await release(stack, { version: '1.4.0', platforms: ['linux'] });
  await link.click();
  await expect(quick.getByRole('alert')).toHaveText('Windows version is not available yet');
  // The page has learnt what there is.
  await expect(card(page).getByText('Windows version is not available yet')).toBeVisible();
  await expectNoFaults(page);
  await page.clock.fastForward(5 * SECOND);
  await expect(quick.getByRole('alert')).toHaveCount(0);
});

test('a tablet that identifies as a Mac reads that the app is for a computer @own-context', async ({
  browser,
  page,
  stack,
}) => {
  await release(stack, RELEASE);
  await enterWithBeta(page, stack);
  // iPadOS sends the user agent of Safari on a Mac.
  const { userAgent } = devices['Desktop Safari'];
  const tablet = await browser.newContext({ userAgent, baseURL: stack.siteUrl, hasTouch: true });
  await tablet.addCookies(await page.context().cookies());
  await tablet.addInitScript(() => Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 }));
  const other = await tablet.newPage();
  await other.goto('/dashboard');
  await expect(card(other).getByText('is for a computer with Windows, macOS or Linux')).toBeVisible();
  for (const name of ['Windows', 'macOS', 'Linux'])
    await expect(card(other).getByRole('link', { name, exact: true })).toBeVisible();
  await expectNoFaults(other);
  await tablet.close();
});
