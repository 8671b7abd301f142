import { signInAdmin } from './people';
import { resetSettings } from './settings-data';
import { expect, MODES, test } from './test';

test.beforeEach(({ stack }) => resetSettings(stack));
test.afterAll(({ stack }) => resetSettings(stack));

for (const mode of MODES) {
  test(`a notice is shown once, and a new result of its form takes its place${mode}`, async ({
    page,
    stack,
  }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    const field = page.getByLabel('Add a retailer');
    const add = page.getByRole('button', { name: 'Add', exact: true });
    const notice = page.getByRole('status');

    await field.fill('Toy Barn');
    await add.click();
    await expect(notice).toHaveText('Retailer added.');
    await expect(page).toHaveURL('/dashboard/site-settings');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Remove Toy Barn' })).toBeVisible();
    await expect(notice).toHaveCount(0);

    await field.fill('Card Cave');
    await add.click();
    await expect(notice).toHaveText('Retailer added.');
    await field.fill('Toy Barn');
    await add.click();
    await expect(field).toHaveAccessibleDescription(/This retailer is already listed\./);
    await expect(notice).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove Toy Barn' }).click();
    await expect(notice).toHaveText('Retailer removed.');
    await expect(field).not.toHaveAccessibleDescription(/already listed/);
  });
}

for (const mode of MODES) {
  test(`a notice is gone when the page is opened again${mode}`, async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    await page.getByRole('switch', { name: 'News Section' }).click();
    await expect(page.getByRole('status')).toHaveText('The News section is off.');
    await page.goto('/dashboard/hero-slides');
    await expect(page.getByRole('status')).toHaveCount(0);
    await page.goto('/dashboard/site-settings');
    await expect(page.getByRole('switch', { name: 'News Section' })).not.toBeChecked();
    await expect(page.getByRole('status')).toHaveCount(0);
  });
}
