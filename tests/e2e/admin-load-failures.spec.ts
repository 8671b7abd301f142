import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { writeArticle } from './article-data';
import { withDatabase } from './news-data';
import { expectNoFaults } from './page-quality';
import { signInAdmin } from './people';
import { resetSettings } from './settings-data';
import { arrangeSite } from './site-data';
import { expect, MODES, test, type SharedStack } from './test';

/** Does something while a table is not there, the plainest way for a read to fail. */
async function without(stack: SharedStack, table: string, work: () => Promise<void>): Promise<void> {
  const rename = (from: string, to: string) =>
    withDatabase(stack.dataDir, (db) => db.schema.alterTable(from).renameTo(to).execute());
  await rename(table, `${table}_away`);
  try {
    await work();
  } finally {
    await rename(`${table}_away`, table);
  }
}

const alert = (page: Page, sentence: string) => page.getByRole('alert').filter({ hasText: sentence });

for (const mode of MODES) {
  test(`settings that cannot be read show an error and a link to try again${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    await signInAdmin(page, stack);
    await without(stack, 'settings', async () => {
      for (const section of ['hero-slides', 'hero-tracking', 'site-settings']) {
        await page.goto(`/dashboard/${section}`);
        await expect(page.getByRole('alert')).toHaveText('Failed to load configuration');
        await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
      }
      if (javaScriptEnabled) await expectNoFaults(page);
    });
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('switch', { name: 'News Section' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

// The panel once gave way to the sentence about loading, and what was typed went with it.
test.describe('when neither saving nor loading works, what was typed stays', () => {
  test.beforeEach(async ({ page, stack }) => {
    await resetSettings(stack);
    await signInAdmin(page, stack);
  });
  test.afterAll(({ stack }) => resetSettings(stack));

  for (const mode of MODES) {
    test(`in the site’s settings${mode}`, async ({ page, stack }) => {
      for (const [field, typed, button, refusal, done] of [
        [
          'Add a retailer',
          'Foil & Co',
          'Add',
          'Failed to add retailer. Please try again.',
          'Retailer added.',
        ],
        [
          'Invite link',
          'https://discord.gg/packwatch',
          'Save invite link',
          'Failed to update setting. Please try again.',
          'Invite link saved.',
        ],
      ] as const) {
        await page.goto('/dashboard/site-settings');
        await page.getByLabel(field).fill(typed);
        await without(stack, 'settings', async () => {
          await page.getByRole('button', { name: button, exact: true }).click();
          await expect(alert(page, refusal)).toBeVisible();
          await expect(alert(page, 'Failed to load configuration')).toBeVisible();
          await expect(page.getByLabel(field)).toHaveValue(typed);
        });
        await page.getByRole('button', { name: button, exact: true }).click();
        await expect(page.getByRole('status')).toHaveText(done);
        await expect(page.getByRole('alert')).toHaveCount(0);
      }
      expect(await (await page.request.get('/api/settings/public/retailers')).json()).toMatchObject({
        data: { retailers: ['Foil & Co'] },
      });
    });
  }

  for (const mode of MODES) {
    test(`in the hero’s slides${mode}`, async ({ page, stack }) => {
      await page.goto('/dashboard/hero-slides');
      const news = page.getByLabel('News', { exact: true });
      await news.uncheck();
      await without(stack, 'settings', async () => {
        await page.getByRole('button', { name: 'Save' }).click();
        await expect(alert(page, 'Failed to update configuration')).toBeVisible();
        await expect(alert(page, 'Failed to load configuration')).toBeVisible();
        await expect(news).not.toBeChecked();
        await expect(page.getByLabel('Checkout', { exact: true })).toBeChecked();
      });
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toHaveText('Configuration saved.');
      expect(await (await page.request.get('/api/settings/public/hero-slides')).json()).toMatchObject({
        data: { newsSlideEnabled: false, checkoutSlideEnabled: true },
      });
    });
  }

  for (const mode of MODES) {
    test(`in the tracking sets${mode}`, async ({ page, stack }) => {
      await arrangeSite(stack, { trackingSets: [{ name: 'Base', enabled: true }] });
      await page.goto('/dashboard/hero-tracking');
      await page.locator('summary').filter({ hasText: 'Base' }).click();
      const rename = page.getByLabel('Name', { exact: true }).first();
      await rename.fill('Base Set');
      await without(stack, 'settings', async () => {
        await page.getByRole('button', { name: 'Save name' }).click();
        await expect(alert(page, 'Failed to save tracking sets. Please try again.')).toBeVisible();
        await expect(alert(page, 'Failed to load configuration')).toBeVisible();
        await expect(rename).toHaveValue('Base Set');
      });
      await page.getByRole('button', { name: 'Save name' }).click();
      await expect(page.getByRole('heading', { name: 'Base Set' })).toBeVisible();

      const name = page.getByLabel('Name', { exact: true }).last();
      await name.fill('Jungle');
      const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#3b4cca' } })
        .png()
        .toBuffer();
      await page
        .getByLabel('Image', { exact: true })
        .setInputFiles({ name: 'jungle.png', mimeType: 'image/png', buffer });
      await without(stack, 'settings', async () => {
        await page.getByRole('button', { name: 'Add tracking set' }).click();
        await expect(alert(page, 'Failed to add tracking set. Please try again.')).toBeVisible();
        await expect(name).toHaveValue('Jungle');
      });
    });
  }

  for (const mode of MODES) {
    test(`and a switch says that it failed${mode}`, async ({ page, stack }) => {
      await page.goto('/dashboard/site-settings');
      await without(stack, 'settings', async () => {
        await page.getByRole('switch', { name: 'News Section' }).click();
        await expect(alert(page, 'Failed to update setting. Please try again.')).toBeVisible();
        await expect(alert(page, 'Failed to load configuration')).toBeVisible();
      });
    });
  }
});

test('articles that cannot be read show an error, and a new one can still be created @no-scripts', async ({
  page,
  stack,
}) => {
  await signInAdmin(page, stack);
  await without(stack, 'articles', async () => {
    await page.goto('/dashboard/articles?page=2');
    await expect(page.getByRole('alert')).toHaveText('Failed to load articles. Please try again.');
    await expect(page.getByText('No articles yet')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Create Article' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute(
      'href',
      '/dashboard/articles?page=2',
    );
  });
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test.describe('a page that fails with its article', () => {
  test.use({ notedFaults: /Failed to load resource/ });

  // It once said that the article may have been deleted.
  for (const mode of MODES) {
    test(`an article that cannot be read shows an error and a link to try again${mode}`, async ({
      page,
      stack,
      javaScriptEnabled,
    }) => {
      const { id } = await writeArticle(stack, { title: 'Still stored' });
      await signInAdmin(page, stack);
      await without(stack, 'articles', async () => {
        await page.goto(`/dashboard/articles/${id}`);
        await expect(alert(page, 'Failed to load article for editing.')).toBeVisible();
        await expect(page.getByText('The article could not be loaded. Try again in a moment.')).toBeVisible();
        await expect(page.getByText('deleted')).toHaveCount(0);
        if (javaScriptEnabled) await expectNoFaults(page);
      });
      await page.getByRole('link', { name: 'Try again' }).last().click();
      await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Still stored');
    });
  }
});

for (const mode of MODES) {
  test(`the overview shows the other cards when one cannot be read${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    await signInAdmin(page, stack);
    const pockets = page.getByRole('main').getByRole('listitem');
    const unread = pockets.filter({ hasText: 'Couldn’t be loaded.' }).getByRole('heading');
    await without(stack, 'articles', async () => {
      await page.goto('/dashboard');
      await expect(unread).toHaveText(['Article Management']);
      await expect(pockets).toHaveCount(6);
    });
    await without(stack, 'settings', async () => {
      await page.goto('/dashboard');
      await expect(unread).toHaveText(['Site Settings', 'Hero Slide Configuration', 'Hero Tracking Images']);
      await expect(pockets.nth(5)).toContainText('Monitoring is');
      if (javaScriptEnabled) await expectNoFaults(page);
    });
    await page.goto('/dashboard');
    await expect(unread).toHaveCount(0);
  });
}
