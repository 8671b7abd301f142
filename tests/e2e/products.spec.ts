import { HOUR, MINUTE, SECOND } from '#shared/clock';
import type { ProductJudgement } from '#shared/monitor/checks/verdict';
import { storeCheck } from '../integration/alerts/finished-check';
import { insertProductWatch, OUT, productCheck } from '../integration/monitor/product-watch';
import { withDatabase } from './news-data';
import { expectNoFaults } from './page-quality';
import { expect, MODES, test } from './test';

const TITLE = 'Ember Hollow chest';

/** Stores a product of two retailers that has been back in stock at the first of them for a minute. */
async function storeProduct(dataDir: string): Promise<void> {
  await withDatabase(dataDir, async (db) => {
    for (const table of ['offer_runs', 'alert_deliveries', 'alerts'] as const)
      await db.deleteFrom(table).execute();
    const first = await insertProductWatch(db, { title: TITLE, fields: { brand: 'Tanglewood' } });
    const second = await insertProductWatch(db, { product: first, retailer: 'Smallville Games' });
    await db
      .updateTable('products')
      .set({ slug: `chest-${first}` })
      .where('id', '=', first)
      .execute();
    const check = (watchId: string, agoMs: number, seen: Partial<ProductJudgement>) => {
      const now = Date.now() - agoMs;
      return storeCheck(db, { now: () => now }, productCheck(watchId, seen));
    };
    // The daemon of the stack must not check them.
    const stop = () => db.updateTable('watches').set({ running: 0 }).where('kind', '=', 'product').execute();
    await check(second, 20 * MINUTE, { ...OUT, price: { amount: 5_499, currency: 'GBP' } });
    await check(first, 2 * HOUR, { ...OUT, price: { amount: 5_299, currency: 'GBP' } });
    await check(first, MINUTE + SECOND, {
      variants: (['Blue', 'Red'] as const).map((name) => ({
        key: name,
        name,
        availability: name === 'Blue' ? 'in_stock' : 'out_of_stock',
        price: { amount: 4_999, currency: 'GBP' },
      })),
    });
    await stop();
  });
}

test.afterEach(({ stack }) =>
  withDatabase(stack.dataDir, async (db) => {
    await db.updateTable('products').set({ deleted_at: new Date().toISOString() }).execute();
  }),
);

for (const mode of MODES) {
  test(`a visitor finds a product that is back and reads its prices${mode}`, async ({ page, stack }) => {
    await storeProduct(stack.dataDir);
    await page.goto('/restock');
    await page.getByRole('searchbox', { name: 'Search' }).fill('hollow');
    await page.getByLabel('State').selectOption('In stock');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page).toHaveURL(/q=hollow&state=in_stock/);
    await expect(page.getByRole('listitem').filter({ hasText: TITLE })).toContainText('£49.99');
    if (mode === '') await expectNoFaults(page);

    await page.getByRole('link', { name: TITLE }).click();
    await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
    await expect(
      page.getByText('This product is now in stock! Premium members were notified 30 seconds earlier.'),
    ).toBeVisible();
    await expect(page.getByRole('timer')).toHaveText(/^0[34]:\d\d$/);
    await expect(page.getByRole('link', { name: 'Go to Tanglewood Cards' })).toHaveAttribute(
      'href',
      'https://cards.example/products/chest',
    );
    const retailers = page.getByRole('table', { name: /Where this product is sold/ });
    await expect(retailers.getByRole('rowheader')).toHaveText([/Tanglewood Cards/, /Smallville Games/]);
    await expect(retailers).toContainText('Blue');
    await page.getByText('The chart as a table').click();
    await expect(page.getByRole('table', { name: /Each change/ }).getByRole('row')).toHaveText([
      /From.*State.*Price/,
      /In stock.*£49\.99/,
      /Out of stock.*£52\.99/,
    ]);
    if (mode === '') await expectNoFaults(page);

    // It is on the landing page while it is in stock.
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Back in stock' })).toBeVisible();
    await page.getByRole('link', { name: 'View all products' }).click();
    await expect(page).toHaveURL('/restock');
  });
}
