import type { Page } from 'playwright/test';
import { enterAs, enterCode, goThroughDiscord, joinDiscord, newPerson, waitForCode } from './people';
import { expect, test } from './test';

/**
 * The browser logs every request that fails as an error of the page; here they must. Remix logs a SyntaxError for a
 * response that is not its own data.
 */
const NOTED = /^(?:Failed to load resource: |SyntaxError)/;

test.use({ notedFaults: NOTED });

/** Every request fails from now on, until `over` is called. */
async function goOffline(page: Page): Promise<{ over: () => Promise<void> }> {
  await page.route('**/*', (route) => route.abort());
  return { over: () => page.unroute('**/*') };
}

test('a theme that cannot be saved says so and is undone', async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/news');
    const menu = page.getByRole('banner').locator('summary').first();
    if (width === 360) await menu.click();
    const dark = page.getByRole('button', { name: 'Dark theme' });
    const line = await goOffline(page);
    await dark.click();
    const sentence = page.getByText('Your theme could not be saved. Please try again.');
    await expect(sentence).toBeInViewport({ ratio: 1 });
    await expect(dark).toHaveAttribute('aria-pressed', 'false');
    await expect(page.locator('html')).not.toHaveAttribute('data-theme');
    await page.getByRole('button', { name: 'Light theme' }).click();
    await dark.click();
    await expect(dark).toHaveAttribute('aria-pressed', 'false');
    await expect(page.locator('html')).not.toHaveAttribute('data-theme');
    await line.over();
    await dark.click();
    await expect(sentence).toHaveCount(0);
    await expect(dark).toHaveAttribute('aria-pressed', 'true');
    await expect
      .poll(async () => (await page.context().cookies()).map(({ name }) => name))
      .toContain('theme');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.context().clearCookies();
  }
});

test('the last of several chosen themes is saved', async ({ page }) => {
  await page.goto('/');
  let answered = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/theme')) answered += 1;
  });
  for (const name of ['Dark theme', 'Light theme', 'Same theme as this device', 'Light theme'])
    await page.getByRole('button', { name }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect.poll(() => answered).toBe(4);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('a cookie choice that cannot be saved keeps the banner open with the choice', async ({ page }) => {
  await page.goto('/');
  const banner = page.getByRole('region', { name: 'Cookie Settings' });
  await banner.getByText('Customize Settings').click();
  await banner.getByLabel('Analytics').uncheck();
  await banner.getByLabel('Marketing').check();
  const line = await goOffline(page);
  await banner.getByRole('button', { name: 'Save Preferences' }).click();
  await expect(banner.getByRole('alert')).toHaveText('Your choice could not be saved. Please try again.');
  await expect(banner.getByLabel('Analytics')).not.toBeChecked();
  await expect(banner.getByLabel('Marketing')).toBeChecked();
  await line.over();
  const answer = page.waitForResponse('**/consent');
  await banner.getByRole('button', { name: 'Save Preferences' }).click();
  await answer;
  await expect(banner).toHaveCount(0);
  const kept = (await page.context().cookies()).find(({ name }) => name === 'cookie-consent');
  expect(JSON.parse(decodeURIComponent(kept?.value ?? '{}'))).toMatchObject({
    analytics: false,
    marketing: true,
  });
  await page.getByRole('link', { name: 'News' }).first().click();
  await expect(page).toHaveURL('/news');
  await expect(page.getByRole('region', { name: 'Cookie Settings' })).toHaveCount(0);
});

test('a code that could not be sent can be sent again', async ({ page, stack }) => {
  const person = newPerson();
  await joinDiscord(stack, person);
  await page.goto('/login');
  await goThroughDiscord(page, stack, person.persona);
  await expect(page).toHaveURL('/login?step=verify');
  await page.reload();
  const code = await waitForCode(stack, person.email);
  await page.getByLabel('Verification code').fill(code);
  const line = await goOffline(page);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page.getByRole('alert')).toHaveText('An error occurred');
  await line.over();
  await enterCode(page, code);
});

test('a form whose session has ended keeps what was typed, says so, and works after a sign-in elsewhere', async ({
  page,
  stack,
}) => {
  await enterAs(page, stack, 'member');
  await page.goto('/account');
  await page.getByLabel('Name', { exact: true }).fill('Ash K.');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('alert')).toContainText('You are signed out, so this was not saved.');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ash K.');
  await page.context().addCookies(cookies);
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('status')).toHaveText('Name saved.');
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ash K.');
});
