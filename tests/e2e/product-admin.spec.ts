import { expectNoFaults } from './page-quality';
import { enterAs } from './people';
import { expect, MODES, test, type SharedStack } from './test';

async function putProduct(stack: SharedStack, slug: string, change: object): Promise<void> {
  const { status } = await fetch(new URL(`/control/shop/products/${slug}`, stack.sandbox.origin), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  expect(status).toBeLessThan(300);
}

for (const mode of MODES) {
  test(`an admin adds a product after looking at its page, and keeps a wrong verdict${mode}`, async ({
    page,
    stack,
  }) => {
    // axe needs the scripts of the page.
    const expectAccessible = async () => (mode === '' ? expectNoFaults(page) : undefined);
    const slug = `ember-chest-${mode === '' ? 'scripts' : 'plain'}`;
    const name = `Ember chest ${slug}`;
    await putProduct(stack, slug, { name, state: 'out', lies: { jsonLd: 'in_stock' } });
    await enterAs(page, stack, 'admin');
    await page.goto('/dashboard/monitor/products');
    await page.getByRole('link', { name: 'Add a product' }).click();
    await page.getByLabel('Address of the product’s page').fill(`${stack.sandbox.origin}/products/${slug}`);
    await page.getByRole('button', { name: 'Look at the page' }).click();

    const seen = page.getByRole('region', { name: 'What we see' });
    const again = page.getByRole('link', { name: 'Look again' });
    await expect(async () => {
      if (await again.isVisible()) await again.click();
      await expect(seen).toContainText('Out of stock', { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await expect(seen).toContainText('£49.99');
    await expect(seen).toContainText('The page contradicts itself.');
    await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('Structured data');
    await expectAccessible();
    await page.getByLabel('Title of a new product').fill(name);
    await page.getByRole('button', { name: 'Add product' }).click();

    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect(page.getByRole('status').filter({ hasText: 'Watch added.' })).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText(/^Out of stock: /).first()).toBeVisible({ timeout: 60_000 });
    await expectAccessible();
    await page
      .getByRole('region', { name: /Recent Activity/ })
      .getByRole('link')
      .first()
      .click();

    await expect(page.getByRole('region', { name: 'Evidence about the product' })).toContainText(
      'Structured data',
    );
    await page.getByLabel('What the page shows').selectOption('Pre-order');
    await page.getByLabel('What is wrong (optional)').fill(`The page of ${slug}`);
    await page.getByRole('button', { name: 'Keep this page' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'The page is kept with the right answer.' }),
    ).toBeVisible();
    await expectAccessible();
    await page.getByRole('link', { name: 'All kept pages' }).click();
    await expect(page.getByText(`Right: pre-order. The page of ${slug}`)).toBeVisible();
    await expectAccessible();

    await page.getByRole('link', { name: 'Products', exact: true }).first().click();
    const host = new URL(stack.sandbox.origin).host;
    await page.getByRole('link', { name: host }).click();
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('1 contradiction');
    await page.getByLabel('A product that is always in stock').selectOption({ label: `${name} @ ${host}` });
    await page.getByRole('button', { name: 'Save shop' }).click();
    await expect(page.getByText('All verdicts of this shop are held back')).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: `${host} is saved.` })).toBeVisible();
    await expectAccessible();

    await page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('link', { name: 'Product', exact: true })
      .click();
    await page.getByLabel('GTIN (optional)').fill('5012345678901');
    await page.getByRole('button', { name: 'Save product' }).click();
    await expect(page.getByText('A GTIN has 8, 12, 13 or 14 digits').first()).toBeVisible();
    await page.getByLabel('GTIN (optional)').fill(mode === '' ? '5012345678900' : '96385074');
    await page.getByLabel('List price in pounds (optional)').fill('54.99');
    await page.getByRole('button', { name: 'Save product' }).click();
    await expect(page.getByRole('status').filter({ hasText: `${name} is saved.` })).toBeVisible();
    await expectAccessible();
  });
}
