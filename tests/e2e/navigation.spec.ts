import { expect, test } from './test';

test('a navigation without a new document says the title of each page', async ({ page }) => {
  await page.goto('/status');
  const announced = page.locator('[data-route-announcer]');
  await expect(announced).toHaveText('');
  await page
    .getByRole('link', { name: /waiting room$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/restock\//);
  await expect(announced).toHaveText(/^Waiting room alert · /);
  await page.goBack();
  await expect(announced).toHaveText(/^Status: /);
  await expect(announced).toHaveAttribute('aria-live', 'polite');
});
