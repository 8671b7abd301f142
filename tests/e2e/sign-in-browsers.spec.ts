import type { Page, Route } from 'playwright/test';
import { holdBack } from './hold-back';
import { enterWithLocalSession, joinDiscord, newPerson, openSession, waitForCode } from './people';
import { showAgain } from './show-again';
import { expect, MODES, test, untilLive } from './test';

/** A browser that denies both storages, as one does that blocks a site's data. */
function denyStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      configurable: true,
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
}

/** A browser whose storage is full. */
function fillStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
}

/** The browser stays on its page (RFC 9110, section 15.3.5), as after a navigation that was stopped. */
const staysHere = (route: Route) => route.fulfill({ status: 204 });

async function signUp(page: Page): Promise<string> {
  const { email, password } = newPerson();
  await page.goto('/signup');
  await page.getByText('Use email and password instead').click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/login?step=verify');
  return email;
}

/** Pastes a text into the focused field. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const field = document.activeElement as HTMLInputElement;
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    if (field.dispatchEvent(event)) document.execCommand('insertText', false, pasted);
  }, text);

test('a code is taken out of what is pasted, dropped or typed', async ({ page, stack }) => {
  const email = await signUp(page);
  const code = await waitForCode(stack, email);
  const field = page.getByLabel('Verification code');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await field.fill('12');
  await paste(page, `Your code is ${code.slice(0, 3)} ${code.slice(3)}. It works for 10 minutes.`);
  await expect(field).toHaveValue(code);
  await field.fill('');
  await paste(page, '123456 or 654321');
  await expect(field).toHaveValue('123456 or 654321');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page.getByRole('alert')).toHaveText('Verification code must be 6 digits');
  await field.fill(`${code.slice(0, 3)}-${code.slice(3)}`);
  await expect(field).toHaveValue(code);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a browser that denies storage signs in with a code and with Discord, and says so', async ({
  page,
  stack,
}) => {
  await page.addInitScript(denyStorage);
  const email = await signUp(page);
  await page.getByLabel('Verification code').fill(await waitForCode(stack, email));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page).toHaveURL('/dashboard');
  const { token, localToken } = await openSession(stack, 'member');
  await page.context().addCookies([{ name: 'packwatch_session', value: token, url: stack.siteUrl }]);
  const dashboard = await holdBack(page, /\/dashboard$/);
  await page.goto(`/auth/discord/success?token=${localToken}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed in');
  await expect(page.getByRole('status')).toHaveText('Signed in with Discord.');
  dashboard.go();
  await expect(page).toHaveURL('/dashboard');
  await untilLive(page);
  await page.locator('[data-user-menu] summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
});

test('a full storage keeps no token of an earlier account', async ({ page, stack }) => {
  await enterWithLocalSession(page, stack);
  await page.addInitScript(fillStorage);
  const { token, localToken } = await openSession(stack, 'member');
  await page.context().addCookies([{ name: 'packwatch_session', value: token, url: stack.siteUrl }]);
  const dashboard = await holdBack(page, /\/dashboard$/);
  await page.goto(`/auth/discord/success?token=${localToken}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed in');
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
  dashboard.go();
});

test('the button to Discord is alive again when the page is shown again, and after some seconds @own-context', async ({
  page,
}) => {
  await page.clock.install();
  await page.route('**/auth/discord', staysHere);
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Sign in with Discord' });
  for (const revive of [
    () => showAgain(page),
    () => showAgain(page, false),
    () => page.clock.runFor(8_000),
  ]) {
    await button.click({ noWaitAfter: true });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await revive();
    await expect(button).not.toHaveAttribute('aria-disabled');
  }
});

test('a form whose next page does not arrive is alive again @own-context', async ({ page, stack }) => {
  const email = await signUp(page);
  const code = await waitForCode(stack, email);
  await page.route('**/dashboard', staysHere);
  await page.getByLabel('Verification code').fill(code);
  const button = page.getByRole('button', { name: 'Verify Email' });
  const answered = page.waitForResponse(/\/login\.data/);
  await button.click({ noWaitAfter: true });
  await answered;
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('progressbar')).toHaveCount(1);
  await showAgain(page, false);
  await expect(button).not.toHaveAttribute('aria-disabled');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});

for (const mode of MODES)
  test(`a failed sign-in starts again from its page, and leads to the page of before${mode}`, async ({
    page,
    stack,
  }) => {
    const person = newPerson();
    await joinDiscord(stack, person);
    await page.goto('/login?next=%2Faccount');
    await page.getByRole('button', { name: 'Sign in with Discord' }).click();
    await page.locator('#persona-deny').click();
    await expect(page.getByRole('alert')).toHaveText('Discord authentication failed: access_denied');
    await expect(page.getByText('You cancelled at Discord')).toBeVisible();
    await page.getByRole('button', { name: 'Sign in with Discord again' }).click();
    await page.locator(`#persona-${person.persona}`).click();
    await expect(page).toHaveURL('/login?step=verify');
    await page.getByLabel('Verification code').fill(await waitForCode(stack, person.email));
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await expect(page).toHaveURL('/account');
  });
