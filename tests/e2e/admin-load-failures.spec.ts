import { withDatabase } from './news-world';
import { expectNoFaults } from './page-quality';
import { signInAdmin } from './people';
import { expect, test, type SharedStack } from './test';

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

test('settings that cannot be read are said to be so, and the page can ask again', async ({
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

test('articles that cannot be read are said to be so, and can still be written', async ({ page, stack }) => {
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

test('a fact that cannot be read leaves the overview its others', async ({
  page,
  stack,
  javaScriptEnabled,
}) => {
  await signInAdmin(page, stack);
  const pockets = page.getByRole('main').getByRole('listitem');
  const unread = pockets.filter({ hasText: 'Could not be read just now.' }).getByRole('heading');
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
