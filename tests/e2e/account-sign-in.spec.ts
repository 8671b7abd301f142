import type { Page } from 'playwright/test';
import {
  enterCode,
  goThroughDiscord,
  joinDiscord,
  expireResendWait,
  enterWithLocalSession,
  newPerson,
  NOTHING_STORED,
  readLocalSession,
  signInFirstTime,
  waitForCode,
} from './people';
import { holdBack, holdBackAnswer } from './hold-back';
import { expect, MODES, test } from './test';

async function signOut(page: Page): Promise<void> {
  await page.locator('[data-user-menu] summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Join Beta' })).toBeVisible();
}

for (const mode of MODES) {
  test(`register, verify, sign out, log in again${mode}`, async ({ page, stack, javaScriptEnabled }) => {
    const { email, password } = newPerson();
    await page.goto('/signup');
    await page.getByText('Use email and password instead').click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('too short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/at least 10 characters/i);
    await expect(page.getByLabel('Email')).toHaveValue(email);

    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL('/login?step=verify');
    await expect(page.getByText(email)).toBeVisible();
    await enterCode(page, await waitForCode(stack, email));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Overview');
    const kept = await readLocalSession(page);
    if (javaScriptEnabled) {
      expect(JSON.parse(kept.user ?? '')).toEqual({ id: kept.userId, email });
      expect(kept.token).not.toBeNull();
    } else expect(kept).toEqual(NOTHING_STORED);

    await signOut(page);
    await expect.poll(() => readLocalSession(page)).toEqual(NOTHING_STORED);
    if (kept.token !== null) {
      const refused = await fetch(`${stack.siteUrl}/api/auth/user`, {
        headers: { Authorization: `Bearer ${kept.token}` },
      });
      expect(refused.status).toBe(401);
    }
    await page.goto('/dashboard');
    await expect(page).toHaveURL('/?auth=login&next=%2Fdashboard');
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();

    await page.goto('/login');
    await page.getByText('Use email and password instead').click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the right one');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/dashboard');
    await page.goto('/login');
    await expect(page).toHaveURL('/dashboard');
  });
}

for (const mode of MODES) {
  test(`a wrong code is refused, another one can be sent, and the first is invalid then${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    const { email, password } = newPerson();
    await page.goto('/signup');
    await page.getByText('Use email and password instead').click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL('/login?step=verify');
    const first = await waitForCode(stack, email);

    await page.getByLabel('Verification code').fill('12 34');
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await expect(page.getByRole('alert')).toHaveText('Verification code must be 6 digits');
    await expect(page.getByLabel('Verification code')).toHaveAccessibleDescription(
      'Verification code must be 6 digits',
    );

    await page.getByRole('button', { name: 'Resend verification code' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      /^Please wait \d+ seconds? before asking for another code\.$/,
    );
    await expireResendWait(stack);
    await page.getByRole('button', { name: 'Resend verification code' }).click();
    const notice = page.getByText('Verification code sent! Please check your email.');
    await expect(notice).toBeVisible();
    const second = await waitForCode(stack, email, 2);
    if (javaScriptEnabled) await expect(notice).toBeHidden();

    if (first !== second) {
      await page.getByLabel('Verification code').fill(first);
      await page.getByRole('button', { name: 'Verify Email' }).click();
      await expect(page.getByRole('alert')).toContainText('wrong or no longer valid');
    }
    await page.getByRole('link', { name: '← Back to login' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.goto('/login?step=verify');
    await enterCode(page, second);
  });
}

for (const mode of MODES) {
  test(`Discord for the first time asks for a code, afterwards it signs in at once${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    const person = newPerson();
    await joinDiscord(stack, person);
    await signInFirstTime(page, stack, person);
    await signOut(page);

    await page.goto('/?auth=login');
    await goThroughDiscord(page, stack, person.persona);
    await page.waitForURL(/\/auth\/discord\/success/);
    if (javaScriptEnabled) await expect(page).toHaveURL('/auth/discord/success');
    await expect(page).toHaveURL('/dashboard');
    const kept = await readLocalSession(page);
    if (javaScriptEnabled)
      expect(JSON.parse(kept.user ?? '')).toEqual({ id: kept.userId, email: person.email });
    else expect(kept).toEqual(NOTHING_STORED);
  });
}

for (const mode of MODES) {
  test(`a link to a member’s page leads there once signed in, by code, by Discord and by password${mode}`, async ({
    page,
    stack,
  }) => {
    const person = newPerson();
    await joinDiscord(stack, person);
    await page.goto('/account');
    await expect(page).toHaveURL('/?auth=login&next=%2Faccount');
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await goThroughDiscord(page, stack, person.persona);
    await expect(page).toHaveURL('/login?step=verify');
    await enterCode(page, await waitForCode(stack, person.email), '/account');
    await signOut(page);

    await page.goto('/account');
    await goThroughDiscord(page, stack, person.persona);
    await page.waitForURL(/\/auth\/discord\/success/);
    await expect(page).toHaveURL('/account');
    await signOut(page);

    const { email, password } = newPerson();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByText('Use email and password instead').click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL('/login?step=verify');
    await enterCode(page, await waitForCode(stack, email), '/account');
  });
}

// The check of the token reached the server after the session had ended, and the browser noted the refusal as an error.
test('a sign-out ends the check of the token that is under way', async ({ page, stack }) => {
  await enterWithLocalSession(page, stack);
  const CHECK = '**/api/auth/user';
  const check = await holdBack(page, CHECK);
  const signOutAnswer = await holdBackAnswer(page, '**/logout');
  await page.goto('/dashboard');
  await check.asked;
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/auth/user'));
  await page.locator('[data-user-menu] summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signOutAnswer.answered;
  check.go();
  await cancelled;
  signOutAnswer.go();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Join Beta' })).toBeVisible();
  await expect.poll(() => readLocalSession(page)).toEqual(NOTHING_STORED);
});
