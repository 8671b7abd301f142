import { systemClock } from '#shared/clock';
import { suggestProduct } from '#shared/follows/suggestions';
import { expectNoFaults } from './page-quality';
import { withDatabase } from './news-data';
import { enterAs, openSession } from './people';
import { expect, MODES, test, type SharedStack } from './test';

async function putProduct(stack: SharedStack, slug: string, change: object): Promise<void> {
  const { status } = await fetch(new URL(`/control/shop/products/${slug}`, stack.sandbox.origin), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  expect(status).toBeLessThan(300);
}

/** A member suggests the page of a product. */
async function suggestPage(stack: SharedStack, url: string): Promise<void> {
  const { accountId: userId } = await openSession(stack, 'member');
  await withDatabase(stack.dataDir, (db) => suggestProduct(db, { userId, url, clock: systemClock }));
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

    const seen = page.getByRole('region', { name: 'What we found' });
    const again = page.getByRole('link', { name: 'Look again' });
    await expect(async () => {
      if (await again.isVisible()) await again.click();
      await expect(seen).toContainText('Out of stock', { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await expect(seen).toContainText('£49.99');
    await expect(seen).toContainText('The page contradicts itself.');
    await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('Structured data');
    await expectAccessible();
    await expect(seen).toContainText('robots.txt');
    await page.getByLabel('Title of a new product').fill(name);
    await expect(page.getByLabel('Brand (optional)')).toHaveValue('Hollow Press');
    await page.getByRole('button', { name: 'Add product' }).click();

    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect(page.getByRole('status').filter({ hasText: 'Watch added.' })).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText(/^Out of stock: /).first()).toBeVisible({ timeout: 60_000 });
    const checked = page.getByRole('region', { name: 'How it is checked' });
    await expect(checked).toContainText('Paid fetchesnone');
    await expect(checked).toContainText(/robots\.txt(?:It allows the page|The site has none)/);
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
      page.getByRole('status').filter({ hasText: 'Page kept with the right answer.' }),
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
    const alerts = page.getByRole('region', { name: 'Where its alerts go' });
    await expect(alerts).toContainText('The webhook of the first watch is used');
    await alerts.getByLabel('Webhook URL').first().fill('https://shop.example/');
    await alerts.getByRole('button', { name: 'Save the instant webhook' }).click();
    await expect(alerts.getByText('Failed to update webhook URL')).toBeVisible();
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
    await page.getByRole('button', { name: 'Retire product' }).click();
    await expect(page.getByRole('status').filter({ hasText: `${name} is retired.` })).toBeVisible();
    await expectAccessible();
    await page.getByRole('link', { name: 'Public page' }).click();
    await expect(page.getByText('We no longer watch this product.')).toBeVisible();
    await expectAccessible();

    const url = `https://shop.example/products/${slug}`;
    await suggestPage(stack, url);
    await page.goto('/dashboard/monitor/products');
    await page.getByRole('link', { name: /^Suggestions/ }).click();
    const suggestion = page.getByRole('listitem').filter({ hasText: url });
    await suggestion.getByRole('link', { name: 'Look at the page' }).click();
    await expect(page.getByLabel('Address of the product’s page')).toHaveValue(url);
    await page.goBack();
    await expectAccessible();
    await suggestion.getByLabel('Why it is dismissed (optional)').fill('The shop forbids checks.');
    await suggestion.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Suggestion dismissed.' })).toBeVisible();
    await expect(suggestion).toHaveCount(0);
  });
}
