import { DAY, systemClock, toIso } from '#shared/clock';
import { storeCheck } from '../integration/alerts/finished-check';
import { insertProductWatch, OUT, productCheck } from '../integration/monitor/product-watch';
import { withDatabase } from './news-data';
import { expectNoFaults } from './page-quality';
import { enterAs } from './people';
import { expect, MODES, test } from './test';

for (const mode of MODES) {
  test(`a member follows a product, changes what they are told, and stops${mode}`, async ({
    page,
    stack,
  }) => {
    const id = await withDatabase(stack.dataDir, async (db) => {
      const watchId = await insertProductWatch(db);
      await storeCheck(db, systemClock, productCheck(watchId, OUT));
      await db
        .updateTable('watches')
        .set({ running: 0, last_checked_at: toIso(Date.now() - DAY) })
        .where('id', '=', watchId)
        .execute();
      return watchId;
    });
    await enterAs(page, stack, 'member');
    await page.goto(`/restock/product-${id}/follow`);
    await expect(page.getByText('You follow 0 of 5 products.')).toBeVisible();
    // A price drop needs a price; what was chosen stays.
    await page.getByLabel('Price drop').check();
    await page.getByRole('button', { name: 'Follow Ember Hollow chest', exact: true }).click();
    await expect(page.getByText('Please enter the price at which we should alert you.')).toBeVisible();
    await expect(page.getByLabel('Price drop')).toBeChecked();
    if (mode === MODES[0]) await expectNoFaults(page);
    await page.getByLabel('At most, in pounds').fill('45');
    await page.getByLabel('From').selectOption('22:00');
    await page.getByLabel('Until').selectOption('07:00');
    await page.getByRole('button', { name: 'Follow Ember Hollow chest', exact: true }).click();
    await expect(page.getByRole('status')).toHaveText('You follow Ember Hollow chest.');
    await page.reload();
    await expect(page.getByLabel('At most, in pounds')).toHaveValue('45.00');
    await expect(page.getByLabel('From')).toHaveValue('22');
    if (mode === MODES[0]) await expectNoFaults(page);

    await withDatabase(stack.dataDir, (db) =>
      db
        .updateTable('products')
        .set({ retired_at: toIso(Date.now()) })
        .where('slug', '=', `product-${id}`)
        .execute(),
    );
    await page.reload();
    await expect(page.getByRole('heading', { name: 'We no longer watch this product' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Stop following Ember Hollow chest' })).toBeVisible();
    await withDatabase(stack.dataDir, (db) =>
      db.updateTable('products').set({ retired_at: null }).where('slug', '=', `product-${id}`).execute(),
    );

    await page.goto('/account');
    await expect(page.getByText('Out of stock, £49.99 at Tanglewood Cards')).toBeVisible();
    await page.getByLabel('Address of its page').fill('not an address');
    await page.getByRole('button', { name: 'Suggest' }).click();
    await expect(page.getByText('Please enter a web address')).toBeVisible();
    await page.getByLabel('Address of its page').fill('https://shop.example/box');
    await page.getByRole('button', { name: 'Suggest' }).click();
    await expect(page.getByText('Thank you. We will look at the page')).toBeVisible();
    await page.getByRole('button', { name: 'Stop following Ember Hollow chest' }).click();
    await expect(page.getByText('You no longer follow Ember Hollow chest.')).toBeVisible();
    await expect(page.getByText('0 of 5.')).toBeVisible();
  });
}
