import type { Page, Route } from 'playwright/test';
import { openBeforeScripts } from './before-scripts';
import { signInAdmin } from './people';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { resetSettings } from './settings-data';
import { arrangeSite } from './site-data';
import { expect, MODES, openLivePage, test } from './test';

async function publicSetting(page: Page, name: string): Promise<unknown> {
  const answer = await page.request.get(`/api/settings/public/${name}`);
  return ((await answer.json()) as { data: unknown }).data;
}

test.beforeEach(({ stack }) => resetSettings(stack));
test.afterAll(({ stack }) => resetSettings(stack));

for (const mode of MODES) {
  test(`the News section is switched off and on, and stays so${mode}`, async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    const news = page.getByRole('switch', { name: 'News Section' });
    await expect(news).toBeChecked();
    await news.click();
    await expect(page.getByRole('status')).toHaveText('The News section is off.');
    await expect(news).not.toBeChecked();
    expect(await publicSetting(page, 'news-enabled')).toEqual({ enabled: false });
    await page.goto('/dashboard/site-settings');
    await expect(news).not.toBeChecked();
    await news.click();
    await expect(page.getByRole('status')).toHaveText('The News section is on.');
    await expect(news).toBeChecked();
    expect(await publicSetting(page, 'news-enabled')).toEqual({ enabled: true });
  });
}

for (const mode of MODES) {
  test(`retailers are added and removed one by one, and a repeated one is refused${mode}`, async ({
    page,
    stack,
  }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    const field = page.getByLabel('Add a retailer');
    const add = page.getByRole('button', { name: 'Add', exact: true });
    const remove = page.getByRole('button', { name: /^Remove / });
    await expect(page.getByText('No retailers configured')).toBeVisible();

    await field.fill('  Toy Barn ');
    await add.click();
    await expect(page.getByRole('status')).toHaveText('Retailer added.');
    await expect(page.getByRole('button', { name: 'Remove Toy Barn' })).toBeVisible();
    await expect(field).toHaveValue('');
    await field.fill('Card Cave');
    await field.press('Enter');
    await expect(remove).toHaveCount(2);

    await field.fill('TOY barn');
    await add.click();
    await expect(field).toHaveAccessibleDescription(/This retailer is already listed\./);
    await expect(field).toHaveValue('TOY barn');
    await expect(remove).toHaveCount(2);
    expect(await publicSetting(page, 'retailers')).toEqual({ retailers: ['Toy Barn', 'Card Cave'] });

    await page.getByRole('button', { name: 'Remove Toy Barn' }).click();
    await expect(page.getByRole('status')).toHaveText('Retailer removed.');
    await expect(remove).toHaveCount(1);
    await page.getByRole('button', { name: 'Remove Card Cave' }).click();
    await expect(page.getByText('No retailers configured')).toBeVisible();
  });
}

test('Add waits for a name, and a removal leaves the focus on the page', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/site-settings');
  const field = page.getByLabel('Add a retailer');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toBeDisabled();
  await field.fill('   ');
  await expect(add).toBeDisabled();
  await field.fill('Binder Bay');
  await expect(add).toBeEnabled();
  await add.click();
  await page.getByRole('button', { name: 'Remove Binder Bay' }).press('Enter');
  await expect(page.getByRole('status')).toHaveText('Retailer removed.');
  await expect(field).toBeFocused();
});

// The fields were once emptied when the page went live.
test('what is typed before the scripts run stays, and can be sent', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  const field = page.getByLabel('Add a retailer');
  const invite = page.getByLabel('Invite link');
  await openBeforeScripts(page, '/dashboard/site-settings', async () => {
    await field.fill('Early Bird Cards');
    await invite.fill('https://discord.gg/early');
  });
  await expect(field).toHaveValue('Early Bird Cards');
  await expect(invite).toHaveValue('https://discord.gg/early');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove Early Bird Cards' })).toBeVisible();
  await expect(field).toHaveValue('');
  await expect(invite).toHaveValue('https://discord.gg/early');

  const checkout = page.getByLabel('Checkout', { exact: true });
  await openBeforeScripts(page, '/dashboard/hero-slides', () => checkout.uncheck());
  await expect(checkout).not.toBeChecked();
});

test('a refused retailer stays refused while another one is moved, removed and put back', async ({
  page,
  stack,
}) => {
  await arrangeSite(stack, { retailers: ['Argos', 'Smyths Toys', 'Toy Barn'] });
  await signInAdmin(page, stack);
  await page.goto('/dashboard/site-settings');
  const field = page.getByLabel('Add a retailer');
  await field.fill('Argos');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(field).toHaveAccessibleDescription(/This retailer is already listed\./);
  await page.getByRole('button', { name: 'Move Toy Barn up' }).click();
  await expect(page.getByRole('status')).toHaveText('Toy Barn moved up.');
  await page.getByRole('button', { name: 'Remove Smyths Toys' }).click();
  await expect(page.getByRole('status')).toHaveText('Retailer removed.');
  await expect(field).toHaveAccessibleDescription(/This retailer is already listed\./);
  await expect(field).toHaveValue('Argos');
  await page.getByRole('button', { name: 'Undo the removal of Smyths Toys' }).click();
  await expect(page.getByRole('status')).toHaveText('Retailer put back.');
  expect(await publicSetting(page, 'retailers')).toEqual({ retailers: ['Argos', 'Toy Barn', 'Smyths Toys'] });
});

test('retailers are saved one at a time', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/site-settings');
  const field = page.getByLabel('Add a retailer');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  for (const retailer of ['Toy Barn', 'Card Cave']) {
    await field.fill(retailer);
    await add.click();
    await expect(page.getByRole('button', { name: `Remove ${retailer}` })).toBeVisible();
    await expect(field).toHaveValue('');
  }

  const held: Route[] = [];
  await page.route(
    (url) => url.pathname.startsWith('/dashboard/site-settings'),
    async (route) => {
      if (route.request().method() === 'POST') held.push(route);
      else await route.continue();
    },
  );
  const goOn = async () => {
    expect(held).toHaveLength(1);
    await held.pop()?.continue();
  };
  await field.fill('Binder Bay');
  // Two presses in one go, before anything could be drawn.
  await page.evaluate(() => {
    for (const name of ['Remove Toy Barn', 'Remove Card Cave'])
      document.querySelector<HTMLElement>(`[aria-label="${name}"]`)?.click();
  });
  await expect.poll(() => held.length).toBe(1);
  await expect(add).toBeDisabled();
  await field.press('Enter');
  await page.getByRole('button', { name: 'Remove Card Cave' }).press('Enter');
  await expect(add).toBeDisabled();
  await goOn();
  await expect(page.getByRole('status')).toHaveText('Retailer removed.');
  await expect(add).toBeEnabled();
  await expect(field).toHaveValue('Binder Bay');

  await add.click();
  await expect(add).toBeDisabled();
  await field.press('Enter');
  await expect.poll(() => held.length).toBe(1);
  await goOn();
  await expect(page.getByRole('status')).toHaveText('Retailer added.');
  await expect(field).toBeFocused();
  expect(held).toEqual([]);
  expect(await publicSetting(page, 'retailers')).toEqual({ retailers: ['Card Cave', 'Binder Bay'] });
});

for (const mode of MODES) {
  test(`the Discord invite is checked, kept and removed${mode}`, async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    const field = page.getByLabel('Invite link');
    const save = page.getByRole('button', { name: 'Save invite link' });
    await field.fill('https://discord.example/abc');
    await save.click();
    await expect(field).toHaveAccessibleDescription(/Please enter a Discord invite/);
    await expect(field).toHaveValue('https://discord.example/abc');
    await field.fill('https://discord.gg/packwatch');
    await save.click();
    await expect(page.getByRole('status')).toHaveText('Invite link saved.');
    await page.goto('/dashboard/site-settings');
    await expect(field).toHaveValue('https://discord.gg/packwatch');
    await field.fill('');
    await save.click();
    await expect(page.getByRole('status')).toHaveText('Invite link removed.');
  });
}

for (const mode of MODES) {
  test(`the hero’s slides are switched and saved${mode}`, async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/hero-slides');
    for (const on of ['News', 'Community chat', 'Checkout'])
      await expect(page.getByLabel(on, { exact: true })).toBeChecked();
    const tracking = page.getByLabel('Tracking sets', { exact: true });
    await expect(tracking).not.toBeChecked();
    await expect(tracking).toHaveAccessibleDescription(/The Tracking slides switch is off/);
    await tracking.check();
    await page.getByLabel('Checkout', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('status')).toHaveText('Configuration saved.');
    expect(await publicSetting(page, 'hero-slides')).toEqual({
      newsSlideEnabled: true,
      discordSlideEnabled: true,
      checkoutSlideEnabled: false,
      trackingSetsEnabled: true,
    });

    await page.goto('/dashboard/hero-slides');
    await expect(tracking).toBeChecked();
    await tracking.uncheck();
    await page.getByLabel('Checkout', { exact: true }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('status')).toHaveText('Configuration saved.');
  });
}

test('a request that cannot be sent shows an error, and the page keeps the typed text', async ({
  page,
  stack,
}) => {
  await signInAdmin(page, stack);
  // A separate page: the browser reports a lost connection as an error of the page.
  const lost = await openLivePage(page.context());
  await lost.goto(`${stack.siteUrl}/dashboard/site-settings`);
  await expect(lost.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await lost.getByLabel('Add a retailer').fill('Foil & Co');
  await lost.context().setOffline(true);
  await lost.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(lost.getByRole('alert')).toHaveText('Failed to add retailer. Please try again.');
  await expect(lost.getByLabel('Add a retailer')).toHaveValue('Foil & Co');
  await lost.getByRole('switch', { name: 'News Section' }).click();
  await expect(
    lost.getByRole('alert').filter({ hasText: 'Failed to update setting. Please try again.' }),
  ).toBeVisible();
  await expect(lost.getByRole('switch', { name: 'News Section' })).toBeChecked();
  await lost.context().setOffline(false);
  await lost.close();
});

test('no accessibility fault while a refusal is shown', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/site-settings');
  await page.getByLabel('Invite link').fill('https://discord.example/abc');
  await page.getByRole('button', { name: 'Save invite link' }).click();
  await expect(page.getByText('Please enter a Discord invite')).toBeVisible();
  await expectNoFaults(page);
});

for (const width of [360, 1280]) {
  test(`nothing moves while the pages load at ${width} pixels @own-context`, async ({ page, stack }) => {
    await arrangeSite(stack, { retailers: ['Argos', 'Smyths Toys', 'Magic Madhouse'] });
    await signInAdmin(page, stack);
    await page.setViewportSize({ width, height: 800 });
    await watchLayout(page);
    for (const path of ['/dashboard/site-settings', '/dashboard/hero-slides']) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await layoutShifts(page), path).toEqual([]);
    }
  });
}
