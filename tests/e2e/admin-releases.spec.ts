import type { CDPSession, Locator, Page } from 'playwright/test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { PLATFORM_FILES, type Platform } from '#shared/releases/release';
import { programFor } from '../fixtures/releases/programs';
import { expectNoFaults } from './page-quality';
import { signInAdmin } from './people';
import { expect, MODES, test, type SharedStack } from './test';

const PAGE = '/dashboard/releases';

/** Removes all releases, whatever tests before have left; their files stay in the folder of the stack. */
async function removeReleases({ dataDir }: SharedStack): Promise<void> {
  const db = openSqliteDatabase(join(dataDir, 'packwatch.db'));
  try {
    for (const table of ['release_uploads', 'release_files', 'releases'] as const)
      await db.deleteFrom(table).execute();
  } finally {
    await db.destroy();
  }
}

test.beforeEach(async ({ page, stack }) => {
  await removeReleases(stack);
  await signInAdmin(page, stack);
  await page.goto(PAGE);
});

const said = (page: Page, sentence: string | RegExp) =>
  page.getByRole('status').filter({ hasText: sentence });

async function createRelease(page: Page, version: string): Promise<void> {
  await page.getByLabel('Version', { exact: true }).fill(version);
  await page.getByRole('button', { name: 'Create release' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Version ${version}`);
}

/** The part of the screen about a platform's file. */
const fileOf = (page: Page, platform: Platform): Locator =>
  page
    .getByRole('region', { name: 'Files' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: PLATFORM_FILES[platform].label }) });

async function chooseFile(
  page: Page,
  platform: Platform,
  { name = `app${PLATFORM_FILES[platform].extension}`, buffer = programFor(platform) } = {},
): Promise<void> {
  await fileOf(page, platform)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function upload(
  page: Page,
  platform: Platform,
  file?: { name?: string; buffer?: Buffer },
): Promise<void> {
  await chooseFile(page, platform, file);
  await fileOf(page, platform)
    .getByRole('button', { name: /^(Upload|Replace) the/ })
    .click();
}

for (const mode of MODES) {
  test(`a release is created, filled, published, withdrawn and deleted${mode}`, async ({ page }) => {
    await page.goto('/dashboard');
    await expect(page.getByRole('main')).toContainText('No releases of the desktop app yet.');
    await page.getByRole('banner').locator('summary').click();
    await page.getByRole('banner').getByRole('link', { name: 'Releases' }).click();
    await expect(page.getByText('No releases yet')).toBeVisible();
    await page.getByRole('link', { name: 'Admin dashboard' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Releases' }).click();
    await page.getByLabel('Version', { exact: true }).fill('v1.4');
    await page.getByRole('button', { name: 'Create release' }).click();
    await expect(page.getByLabel('Version', { exact: true })).toHaveAccessibleDescription(/such as 1\.4\.0/);
    await createRelease(page, '1.4.0');
    await expect(said(page, 'Release created.')).toBeVisible();
    const publish = page.getByRole('button', { name: 'Publish' });
    await expect(publish).toHaveAccessibleDescription(
      'To publish it, upload a file first: that of Windows, macOS or Linux.',
    );
    await publish.click();
    await expect(page.getByRole('alert')).toHaveText(
      'To publish it, upload a file first: that of Windows, macOS or Linux.',
    );

    await page
      .getByLabel('Release notes')
      .fill('# New\n\n- **Faster** checkout\n\n<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Preview notes' }).click();
    const preview = page.getByRole('region', { name: 'Preview, not saved yet' });
    await expect(preview.getByRole('listitem')).toHaveText('Faster checkout');
    await expect(preview.locator('script')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Beta' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(said(page, 'Release saved.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Notes as members see them' })).toContainText('Faster');

    await upload(page, 'windows');
    await expect(said(page, 'Windows file uploaded.')).toBeVisible();
    await expect(fileOf(page, 'windows')).toContainText(/SHA-256[\da-f]{64}/);
    await expect(page.getByText('Missing: macOS and Linux.')).toBeVisible();
    await publish.click();
    await expect(said(page, 'Published. Members can download it now.')).toBeVisible();
    await upload(page, 'windows', { name: 'second.exe', buffer: programFor('windows', { seed: 'second' }) });
    await expect(said(page, 'Windows file uploaded.')).toBeVisible();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await expect(said(page, 'Withdrawn. Members no longer see it.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveText([
      /withdrew it/,
      /replaced the Windows file: second\.exe/,
      /published it/,
      /added the Windows file: app\.exe/,
      /changed the notes and the beta flag/,
      /created version 1\.4\.0/,
    ]);

    await page.getByRole('link', { name: 'All releases' }).click();
    await expect(page).toHaveURL(PAGE);
    const listed = page.getByRole('article', { name: 'Version 1.4.0' });
    await expect(listed).toContainText('Withdrawn');
    await expect(listed).toContainText('Beta');
    await listed.getByRole('link', { name: '1.4.0' }).click();
    await page.getByRole('link', { name: 'Delete this release' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Delete version 1.4.0?');
    await page.getByRole('button', { name: 'Delete release' }).click();
    await expect(said(page, 'Version 1.4.0 is deleted.')).toBeVisible();
    await expect(page.getByText('No releases yet')).toBeVisible();
  });
}

test.describe('a wrong file', () => {
  // The browser reports each refused request.
  test.use({ notedFaults: /status of 422/ });

  for (const mode of MODES) {
    test(`is refused with a sentence that says what it is${mode}`, async ({ page }) => {
      await createRelease(page, '2.0.0-beta.1');
      const refused: [Platform, { name: string; buffer: Buffer }, RegExp][] = [
        ['windows', { name: 'app.dmg', buffer: programFor('macos') }, /\.exe/],
        [
          'windows',
          { name: 'page.exe', buffer: Buffer.from('<!doctype html><p>no program') },
          /web page|HTML/i,
        ],
        ['linux', { name: 'app.AppImage', buffer: programFor('windows') }, /Windows program/],
      ];
      for (const [platform, file, sentence] of refused) {
        await upload(page, platform, file);
        await expect(fileOf(page, platform)).toContainText(sentence);
        await expect(fileOf(page, platform)).toContainText('No file yet.');
      }
    });
  }
});

test('the screens are free of faults in both themes, on a phone and on a desktop', async ({ page }) => {
  await createRelease(page, '1.4.0');
  await page
    .getByLabel('Release notes')
    .fill('## New\n\n1. One\n2. [Two](https://packwatch.example)\n\n`code`');
  await page.getByRole('button', { name: 'Save' }).click();
  await upload(page, 'linux');
  await expect(said(page, 'Linux file uploaded.')).toBeVisible();
  await chooseFile(page, 'macos', { name: 'wrong.exe' });
  await fileOf(page, 'macos').getByRole('button', { name: 'Upload the macOS file' }).click();
  await expect(page.getByLabel('macOS file')).toHaveAccessibleDescription(/ends in \.dmg/);
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Delete this release' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Delete version 1.4.0?');
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Keep it' }).click();
  await page.getByRole('link', { name: 'All releases' }).click();
  await expect(page.getByRole('article', { name: 'Version 1.4.0' })).toBeVisible();
  await expectNoFaults(page);
});

/** 6 MB, some seconds on a slow line. On disk: the browser recognises the file after a reload by its time, too. */
const LARGE = 'large.exe';

async function uploadLarge(page: Page): Promise<void> {
  const path = test.info().outputPath(LARGE);
  if (!existsSync(path))
    writeFileSync(path, programFor('windows', { bytes: 6 * 1024 * 1024, seed: 'large' }));
  await fileOf(page, 'windows').locator('input[type=file]').setInputFiles(path);
  await fileOf(page, 'windows').getByRole('button', { name: 'Upload the' }).click();
}

const SLOW = 512 * 1024;

/** Gives a page a line that sends some bytes per second; null: as many as it can. */
async function setLine(session: CDPSession, bytesPerSecond: number | null): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond ?? -1,
  });
}

/** Needs its own context: the line stays as it is until the session ends. */
async function openLine(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await setLine(session, SLOW);
  return session;
}

test('an upload shows its progress, pauses, continues after a reload, and leaving is warned of @own-context', async ({
  page,
}) => {
  await createRelease(page, '3.0.0');
  const line = await openLine(page);
  const windows = fileOf(page, 'windows');
  await uploadLarge(page);
  await expect(windows.getByText(/^\d.* of 6\.0 MB \(\d+%\), .* per second, about .* left$/)).toBeVisible();
  await expect(windows.getByRole('group', { name: 'Upload of large.exe' })).toBeFocused();
  await expectNoFaults(page);

  await page.getByRole('link', { name: 'All releases' }).click();
  const question = page.getByRole('dialog', { name: 'Leave while a file is uploading?' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).press('Enter');
  await expect(question).toHaveCount(0);
  await windows.getByRole('button', { name: 'Pause the Windows upload' }).press('Enter');
  await expect(windows.getByText('Paused. The part that has arrived is kept for a day.')).toBeVisible();
  await expect(windows.getByRole('group')).toBeFocused();

  await page.reload();
  await setLine(line, null);
  await expect(windows).toContainText('The upload of large.exe (6.0 MB) by');
  await page.getByRole('link', { name: 'Delete this release' }).click();
  await page.getByRole('button', { name: 'Delete release' }).click();
  await expect(page.getByRole('alert')).toContainText('is being uploaded');
  await page.getByRole('link', { name: 'Keep it' }).click();

  const offsets: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
  });
  await uploadLarge(page);
  await expect(said(page, 'Windows file uploaded.')).toBeVisible();
  expect(Number(offsets[0])).toBeGreaterThan(0);
  await expect(windows).not.toContainText('The upload of');
  await expect(windows).toContainText('6.0 MB');
});

test.describe('on a bad line', () => {
  // The browser reports each failed request.
  test.use({ notedFaults: /ERR_CONNECTION_RESET|status of (401|409)/ });

  test('an upload resumes automatically, after a sign-in, and on request; it can be cancelled @own-context', async ({
    page,
    stack,
  }) => {
    const context = page.context();
    await createRelease(page, '3.1.0');
    const line = await openLine(page);
    const windows = fileOf(page, 'windows');
    const UPLOADS = '**/api/downloads/uploads/*';
    await page.route(UPLOADS, (route) => route.abort('connectionreset'));
    await uploadLarge(page);
    await expect(
      windows.getByText('The connection was lost. The upload continues automatically.'),
    ).toBeVisible();
    await page.unroute(UPLOADS);
    await expect(windows.getByText('Uploading.')).toBeVisible();
    await expect(windows.getByText(/per second/)).toBeVisible();

    // Another page wants the same.
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(fileOf(other, 'windows')).toContainText('The upload of large.exe (6.0 MB) by');
    await upload(other, 'windows', { name: 'another.exe' });
    await expect(fileOf(other, 'windows').getByRole('alert')).toContainText('is being uploaded');
    await other.close();

    await windows.getByRole('button', { name: 'Pause the Windows upload' }).click();
    await context.clearCookies();
    await windows.getByRole('button', { name: 'Resume the Windows upload' }).click();
    await expect(windows.getByRole('alert')).toContainText('You are signed out.');
    await signInAdmin(page, stack);
    await windows.getByRole('button', { name: 'Resume the Windows upload' }).click();
    await expect(windows.getByText('Uploading.')).toBeVisible();

    await windows.getByRole('button', { name: 'Cancel the Windows upload' }).press('Enter');
    await expect(windows.getByRole('button', { name: 'Upload the Windows file' })).toBeVisible();
    await expect(page.getByLabel('Windows file')).toBeFocused();
    await setLine(line, null);
    await uploadLarge(page);
    await expect(said(page, 'Windows file uploaded.')).toBeVisible();
  });
});
