import type { Page } from 'playwright/test';
import { systemClock } from '#shared/clock';
import { writeSetting } from '#shared/settings/write-settings';
import { withDatabase } from './news-data';
import { afterFrame, expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { enterAs, newPerson } from './people';
import { resetSettings } from './settings-data';
import { expect, MODES, test } from './test';
import { enterWithBeta } from './membership-data';

const CONSENT = 'cookie-consent';

function consentCookies(page: Page): Promise<Record<string, string>> {
  return page
    .context()
    .cookies()
    .then((cookies) =>
      Object.fromEntries(
        cookies
          .filter(({ name }) => name === CONSENT || name.endsWith('-enabled'))
          .map(({ name, value }) => [name, decodeURIComponent(value)]),
      ),
    );
}

for (const path of ['/?auth=login', '/?auth=verify', '/login', '/login?step=verify', '/signup']) {
  test(`no accessibility fault at ${path}`, async ({ page }) => {
    await page.goto(path);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
    });
    await expectNoFaults(page);
  });
}

for (const path of ['/auth/discord/error', '/auth/discord/callback', '/auth/discord/success']) {
  test(`no accessibility fault at ${path}`, async ({ page }) => {
    // An answer without content leaves a browser where it is, so that the page holds still.
    await page.route(
      ({ pathname }) => pathname === '/' || pathname === '/dashboard',
      (route) => route.fulfill({ status: 204 }),
    );
    await page.goto(path);
    await expectNoFaults(page);
  });
}

test('a member’s pages have no accessibility fault, before and after the beta request', async ({
  page,
  stack,
}) => {
  await enterAs(page, stack, 'member');
  await page.goto('/dashboard');
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'Request Beta Access' }).click();
  await expect(page.getByText(/^Requested on/)).toBeVisible();
  await expectNoFaults(page);
  await page.goto('/account');
  await expectNoFaults(page);
  await page.goto('/');
  await page.locator('[data-user-menu] summary').click();
  await expectNoFaults(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
});

for (const mode of MODES) {
  test(`an approved member sees where alerts arrive, and the invite once there is one${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    await enterWithBeta(page, stack);
    await resetSettings(stack);
    // Pages may show the settings of a moment ago.
    await expect(async () => {
      await page.goto('/dashboard');
      await expect(page.getByRole('button', { name: 'Coming Soon' })).toBeDisabled({ timeout: 500 });
    }).toPass();
    await expect(page.getByText('Discord only')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Where your alerts arrive' })).toBeVisible();
    if (javaScriptEnabled) await expectNoFaults(page);
    const invite = 'https://discord.gg/packwatch';
    try {
      await withDatabase(stack.dataDir, (db) =>
        writeSetting(db, {
          key: 'discord_invite_url',
          value: invite,
          actor: { userId: null },
          clock: systemClock,
        }),
      );
      const join = page.getByRole('link', { name: 'Join our Discord' });
      await expect(async () => {
        await page.reload();
        await expect(join).toHaveAttribute('href', invite, { timeout: 500 });
      }).toPass();
      await expect(page.getByRole('button', { name: 'Coming Soon' })).toHaveCount(0);
      if (javaScriptEnabled) await expectNoFaults(page);
    } finally {
      await resetSettings(stack);
    }

    await page.goto('/');
    const calls = page.getByRole('main').getByRole('link', { name: 'Go to Your Dashboard' });
    await expect(calls).toHaveCount(3);
    await expect(page.getByRole('link', { name: 'Request Beta Access' })).toHaveCount(0);
  });
}

for (const mode of MODES) {
  test(`a member requests beta access, and saves a name and preferences${mode}`, async ({ page, stack }) => {
    await enterAs(page, stack, 'member');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Request Beta Access' }).click();
    await expect(page.getByText(/^Requested on \d+ \w+ \d{4}$/)).toBeVisible();

    await page.goto('/account');
    await page.getByLabel('Name', { exact: true }).fill(' ');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      /Please enter a name\./,
    );
    await page.getByLabel('Name', { exact: true }).fill('Ash K.');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByRole('status')).toHaveText('Name saved.');
    await expect(page.locator('[data-user-menu]')).toContainText('Ash K.');

    await expect(page.getByLabel('Alerts by email')).toBeChecked();
    await page.getByLabel('Alerts by email').uncheck();
    await page.getByLabel('Product news by email').check();
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await expect(page.getByRole('status')).toHaveText('Preferences saved.');
    await page.reload();
    await expect(page.getByLabel('Alerts by email')).not.toBeChecked();
    await expect(page.getByLabel('Product news by email')).toBeChecked();
  });
}

test('the dialog opens from the bar, and closing it gives the focus back', async ({ page }) => {
  await page.goto('/');
  const join = page.getByRole('link', { name: 'Join Beta' });
  const dialog = page.getByRole('dialog');
  for (const close of ['Escape', 'button', 'outside'] as const) {
    await join.click();
    await expect(page).toHaveURL('/?auth=login');
    await expect(dialog.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await expect(dialog.getByText('Sign in to access your account')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Sign in with Discord' })).toBeFocused();
    if (close === 'Escape') await page.keyboard.press('Escape');
    else if (close === 'button') await dialog.getByRole('button', { name: 'Close' }).click();
    else await page.mouse.click(5, 300);
    await expect(page).toHaveURL('/');
    await expect(dialog).toHaveCount(0);
    await expect(join).toBeFocused();
  }
});

test('the focus stays inside the open dialog, which keeps its content until it has faded out', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/?auth=verify');
  const dialog = page.getByRole('dialog', { name: 'Verify Email' });
  await expect(dialog.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible();
  await expect(dialog.getByPlaceholder('000000')).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(page.locator('dialog:modal')).toHaveCount(1);
  for (let stop = 0; stop < 8; stop += 1) {
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      ),
    ).toBe(true);
  }
  await dialog.getByRole('link', { name: '← Back to login' }).click();
  await expect(page.getByRole('dialog', { name: 'Welcome Back' })).toBeVisible();

  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    const start = performance.now();
    new MutationObserver(() => {
      if (document.querySelector('dialog') === null) seen.push(performance.now() - start);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const [gone = 0] = await page.evaluate(() => (window as Window & { seen?: number[] }).seen ?? []);
  expect(gone).toBeGreaterThanOrEqual(200);
});

for (const width of [360, 1280]) {
  test(`a refused sign-in moves nothing at ${width} pixels @own-context`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await watchLayout(page);
    const moves = async () => {
      await afterFrame(page);
      // Without that of the pressed button's label, which makes room for the spinner: 0.0001.
      return (await layoutShifts(page))?.filter((text) => Number.parseFloat(text) >= 0.001) ?? [];
    };
    await page.goto('/login');
    await page.getByText('Use email and password instead').click();
    await page.getByLabel('Email').fill(newPerson().email);
    await page.getByLabel('Password').fill('not the right one');
    // The press that opened the form has moved what is below it.
    const before = await moves();
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
    expect((await moves()).slice(before.length)).toEqual([]);
  });
}

test('a user who forgot the password reads that Discord signs them in @no-scripts', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByText('Forgot your password?')).toBeVisible();
  await expect(
    page.getByText('Sign in with a Discord account that has the same, verified email address.'),
  ).toBeVisible();
});

for (const mode of MODES) {
  test(`a common password is refused at its field, and the email stays filled in${mode}`, async ({
    page,
  }) => {
    const { email } = newPerson();
    await page.goto('/signup');
    await page.getByText('Use email and password instead').click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('Password123');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
      /Many people use this password.*Please choose another one/,
    );
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page).toHaveURL('/signup');
  });
}

for (const mode of MODES) {
  test(`without a pending sign-in, Resend sends nothing, says so and keeps the dialog open${mode}`, async ({
    page,
  }) => {
    await page.goto('/?auth=verify');
    await expect(
      page.getByText('No sign-in in this browser is waiting for a code, so none was sent.'),
    ).toBeVisible();
    await expect(page.getByText("We've sent a 6-digit verification code to")).toHaveCount(0);
    await page.getByRole('button', { name: 'Resend verification code' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'No code was sent, because no sign-in in this browser is waiting for one. Go back to login to start.',
    );
    await expect(page).toHaveURL('/?auth=verify');
    await expect(page.getByRole('dialog', { name: 'Verify Email' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible();
  });
}

test('without scripts the dialog is part of the page and can be closed @no-scripts', async ({ page }) => {
  await page.goto('/?auth=login');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with Discord' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeHidden();
  await page.goto('/?auth=verify');
  for (const [code, refusal] of [
    ['12345', 'Verification code must be 6 digits'],
    ['123 456', 'This sign-in took too long. Please start again.'],
  ] as const) {
    await page.getByLabel('Verification code').fill(code);
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await expect(page.getByRole('alert')).toHaveText(refusal);
    await expect(page).toHaveURL('/?auth=verify');
    await expect(page.getByRole('dialog', { name: 'Verify Email' })).toBeVisible();
  }
});

for (const mode of MODES) {
  test(`cookies: all accepted, and the banner is gone${mode}`, async ({ page }) => {
    await page.goto('/');
    const banner = page.getByRole('region', { name: 'Cookie Settings' });
    await expect(banner).toContainText(
      'We use cookies to enhance your experience and analyze our website traffic.',
    );
    await expect(banner.getByLabel('Analytics')).toBeHidden();
    await expect(banner.getByRole('button', { name: 'Save Preferences' })).toBeHidden();
    await banner.getByRole('button', { name: 'Accept All' }).click();
    await expect(banner).toHaveCount(0);
    await expect
      .poll(() => consentCookies(page))
      .toEqual({
        [CONSENT]: '{"necessary":true,"analytics":true,"marketing":true}',
        'analytics-enabled': 'true',
        'marketing-enabled': 'true',
      });
    const cookie = (await page.context().cookies()).find(({ name }) => name === CONSENT);
    expect(cookie?.path).toBe('/');
    expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365);
    await page.goto('/login');
    await expect(banner).toHaveCount(0);
  });
}

for (const mode of MODES) {
  test(`cookies: Essential Only saves the toggles as they are${mode}`, async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Essential Only' }).click();
    await expect
      .poll(() => consentCookies(page))
      .toEqual({
        [CONSENT]: '{"necessary":true,"analytics":true,"marketing":false}',
        'analytics-enabled': 'true',
      });
    await expect(page).toHaveURL('/login');
  });
}

for (const mode of MODES) {
  test(`cookies: own preferences are kept, and the flag of a refused category goes${mode}`, async ({
    page,
    stack,
  }) => {
    await page.context().addCookies([{ name: 'analytics-enabled', value: 'true', url: stack.siteUrl }]);
    await page.goto('/');
    await page.getByText('Customize Settings').click();
    await expect(page.getByRole('button', { name: 'Essential Only' })).toBeHidden();
    await expect(page.getByLabel('Necessary')).toBeDisabled();
    await page.getByLabel('Analytics').uncheck();
    await page.getByLabel('Marketing').check();
    await page.getByRole('button', { name: 'Save Preferences' }).click();
    await expect
      .poll(() => consentCookies(page))
      .toEqual({
        [CONSENT]: '{"necessary":true,"analytics":false,"marketing":true}',
        'marketing-enabled': 'true',
      });
  });
}

for (const mode of MODES) {
  test(`cookies: the X hides the banner and saves nothing; the banner appears again after an unreadable choice${mode}`, async ({
    page,
    stack,
  }) => {
    await page.context().addCookies([{ name: CONSENT, value: 'not%20ours', url: stack.siteUrl }]);
    await page.goto('/');
    const banner = page.getByRole('region', { name: 'Cookie Settings' });
    await banner.getByRole('link', { name: /^Close/ }).click();
    await expect(banner).toHaveCount(0);
    expect(await consentCookies(page)).toEqual({ [CONSENT]: 'not ours' });
    await page.goto('/');
    await expect(banner).toBeVisible();
  });
}
