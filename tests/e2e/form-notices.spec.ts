import type { Locator } from 'playwright/test';
import { enterAs, signInAdmin } from './people';
import { resetSettings } from './settings-data';
import { expect, MODES, test } from './test';

test.beforeEach(({ stack }) => resetSettings(stack));
test.afterAll(({ stack }) => resetSettings(stack));

const isOnTop = (text: Locator) =>
  text.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });

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

/** Where a form of a long page stands, what is typed into it, and what its page then says. */
const FAR_DOWN = {
  '/login': [
    {
      typed: { '[name=email]': 'ash@example.org', '[name=password]': 'not the password' },
      intent: 'login',
      says: 'Invalid email or password',
    },
    {
      typed: { '[name=email]': 'ash', '[name=password]': '' },
      intent: 'login',
      says: 'Please enter a valid email address',
    },
  ],
  '/signup': [
    {
      typed: { '[name=email]': 'ash@example.org', '[name=password]': 'short' },
      intent: 'register',
      says: 'Please use at least 10 characters.',
    },
  ],
  '/account': [
    // The refusal of an earlier form stays on the page, further up than the next one.
    { typed: { '#name-username': '\u{200b}' }, intent: 'name', says: 'Please use visible characters' },
    { typed: { '#suggested-url': 'not an address' }, intent: 'suggest', says: 'Please enter a web address' },
    {
      typed: { '#quiet-quietFrom': '22', '#quiet-quietTo': '22' },
      intent: 'quiet',
      says: 'Please choose two different hours',
    },
    {
      typed: { '#suggested-url': 'https://shop.example/box' },
      intent: 'suggest',
      says: 'Thank you. We will look at the page',
    },
  ],
  '/dashboard/articles/new': [{ typed: {}, intent: 'save', says: 'Title and content are required' }],
} as const;

for (const [path, forms] of Object.entries(FAR_DOWN))
  test(`what ${path} says of a form is in view when the form opens the page @no-scripts`, async ({
    page,
    stack,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    if (path === '/account') await enterAs(page, stack, 'member');
    if (path.startsWith('/dashboard')) await signInAdmin(page, stack);
    await page.goto(path);
    for (const { typed, intent, says } of forms) {
      for (const [field, value] of Object.entries(typed)) {
        const control = page.locator(`main ${field}`);
        if (!(await control.isVisible())) await page.locator('main summary').first().click();
        if (field.startsWith('#quiet')) await control.selectOption(value);
        else await control.fill(value);
      }
      await page.locator(`main button[name=intent][value=${intent}]`).click();
      const sentence = page.getByText(says).last();
      await expect(sentence, intent).toBeInViewport();
      // Nothing else, such as the notice about cookies, lies above it.
      expect(await isOnTop(sentence), intent).toBe(true);
    }
  });
