import type { Page } from 'playwright/test';
import { sql } from 'kysely';
import { createSession } from '#shared/accounts/sessions';
import { systemClock } from '#shared/clock';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { withDatabase } from './news-data';
import {
  enterCode,
  enterWithLocalSession,
  goThroughDiscord,
  joinDiscord,
  expireResendWait,
  readLocalSession,
  signInFirstTime,
  newPerson,
  openSession,
  waitForCode,
} from './people';
import { expect, MODES, test } from './test';

const NOTHING_STORED = { token: null, user: null, userId: null };

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
    expect(await readLocalSession(page)).toEqual(NOTHING_STORED);
    if (kept.token !== null) {
      const refused = await fetch(`${stack.siteUrl}/api/auth/user`, {
        headers: { Authorization: `Bearer ${kept.token}` },
      });
      expect(refused.status).toBe(401);
    }
    await page.goto('/dashboard');
    await expect(page).toHaveURL('/');

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
    if (javaScriptEnabled) await expect(notice).toBeHidden({ timeout: 6_000 });

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

for (const mode of MODES) {
  test(`the success page without a session says that the browser is not signed in${mode}`, async ({
    page,
  }) => {
    await page.goto('/auth/discord/success');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are not signed in');
    await expect(page).toHaveURL('/');
  });
}

test.describe('a sign-out that fails', () => {
  test.use({ notedFaults: /^Failed to load resource: / });

  for (const mode of MODES) {
    test(`says so on the page where it was pressed, and clears nothing${mode}`, async ({ page, stack }) => {
      await enterWithLocalSession(page, stack);
      await page.goto('/account?x=1');
      const kept = await readLocalSession(page);
      const execute = (statement: string) =>
        withDatabase(stack.dataDir, (db) => sql.raw(statement).execute(db));
      await execute(
        `create trigger broken before delete on sessions begin select raise(abort, 'broken'); end`,
      );
      try {
        await page.locator('[data-user-menu] summary').click();
        await page.getByRole('button', { name: 'Sign out' }).first().click();
        await expect(page.getByRole('alert')).toHaveText('Failed to sign out');
        await expect(page).toHaveURL(/\/account\?x=1/);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account');
        expect(await readLocalSession(page)).toEqual(kept);
      } finally {
        await execute('drop trigger broken');
      }
      await page.getByRole('button', { name: 'Sign out' }).first().click();
      await expect(page).toHaveURL('/');
      expect(await readLocalSession(page)).toEqual(NOTHING_STORED);
    });
  }

  test('keeps local storage when the server cannot be reached', async ({ page, stack }) => {
    await enterWithLocalSession(page, stack);
    const kept = await readLocalSession(page);
    expect(kept.token).not.toBeNull();
    await page.route('**/logout', (route) => route.abort());
    await page.locator('[data-user-menu] summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to sign out');
    await expect(page).toHaveURL('/dashboard');
    expect(await readLocalSession(page)).toEqual(kept);
  });
});

for (const mode of MODES) {
  test(`a browser is one entry among the sessions, and its picture is our copy of Discord’s${mode}`, async ({
    page,
    stack,
  }) => {
    const person = newPerson();
    await joinDiscord(stack, person, { avatar: '00112233445566778899aabbccddeeff' });
    await signInFirstTime(page, stack, person);
    await page.goto('/account');
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await expect(async () => {
      await page.reload();
      await expect(page.locator('[data-user-menu] img')).toHaveCount(1, { timeout: 500 });
    }).toPass();
    const picture = page.locator('[data-user-menu] img');
    await expect(picture).toHaveAttribute('src', /^\/uploads\/[\da-f-]{36}\/128\.webp$/);
    await expect(picture).toHaveAttribute('width', '32');
    await expect(picture).toHaveAttribute('height', '32');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(128);
  });
}

test('Discord denied says so and leads home @no-scripts', async ({ page, stack }) => {
  await page.goto('/login');
  await goThroughDiscord(page, stack, 'deny');
  await expect(page.getByRole('alert')).toHaveText('Discord authentication failed: access_denied');
  await expect(page).toHaveURL('/');
});

test('an email that Discord has not verified is refused, with the reason @no-scripts', async ({
  page,
  stack,
}) => {
  await page.goto('/login');
  await goThroughDiscord(page, stack, 'unverified');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authentication Failed');
  await expect(page.getByRole('alert')).toContainText('not verified');
  await expect(page).toHaveURL('/');
});

test('an OAuth state of another browser signs in no user @no-scripts', async ({ page }) => {
  await page.goto('/auth/discord/callback?code=abc&state=of-another-browser');
  await expect(page).toHaveURL('/auth/discord/error?reason=invalid_state');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authentication Failed');
});

for (const mode of MODES) {
  test(`what comes back from Discord is answered as specified${mode}`, async ({ page }) => {
    const answers: [string, string][] = [
      ['status=error', 'Failed to authenticate with Discord'],
      ['error=server_error', 'Discord authentication failed: server_error'],
      ['', 'Invalid authentication state'],
    ];
    for (const [query, text] of answers) {
      await page.goto(`/auth/discord/callback?${query}`);
      await expect(page.getByRole('alert')).toHaveText(text);
    }
    await expect(page).toHaveURL('/');
    await page.goto('/auth/discord/error');
    for (const cause of ['not verified', 'authorization was denied', 'server had an error'])
      await expect(page.getByText(cause)).toBeVisible();
  });
}

for (const mode of MODES) {
  test(`the success page takes no token but one of its own account${mode}`, async ({ page, stack }) => {
    const { localToken: theirs } = await openSession(stack, 'member');
    await enterWithLocalSession(page, stack);
    const before = await readLocalSession(page);
    const answer = await page.goto(`/auth/discord/success?token=${theirs}`);
    expect(answer?.headers()).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    await expect(page.getByRole('alert')).toHaveText('Failed to refresh authentication');
    await expect(page).toHaveURL('/');
    expect(await readLocalSession(page)).toEqual(before);

    await page.goto('/auth/discord/success');
    await expect(page).toHaveURL('/dashboard');
  });

  test(`a session is ended from another browser${mode}`, async ({ page, stack }) => {
    const { accountId } = await enterWithLocalSession(page, stack);
    const elsewhere = await withDatabase(stack.dataDir, (db) =>
      createSession(db, { accountId, userAgent: 'elsewhere/1', clock: systemClock }),
    );
    const openDashboard = () =>
      fetch(`${stack.siteUrl}/dashboard`, {
        headers: { Cookie: `${PLAIN_SESSION_COOKIE}=${elsewhere.token}` },
        redirect: 'manual',
      });
    expect((await openDashboard()).status).toBe(200);

    await page.goto('/account');
    const revoke = page.getByRole('button', { name: 'Sign out elsewhere' });
    await expect(page.getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1);
    await expect(revoke).toHaveCount(1);
    await revoke.click();
    await expect(revoke).toHaveCount(0);
    await expect(page.getByRole('status')).toHaveText('That session is signed out.');
    const refused = await openDashboard();
    expect([refused.status, refused.headers.get('location')]).toEqual([302, '/']);
    await page.reload();
    await expect(page).toHaveURL(/\/account/);
  });
}

test('a token in local storage that is refused is dropped, and the page stays signed in', async ({
  page,
  stack,
}) => {
  await enterWithLocalSession(page, stack);
  await page.route('**/api/auth/user', (route) =>
    route.fulfill({ status: 200, json: { user: { id: 'other' } } }),
  );
  await page.evaluate(() => localStorage.setItem('auth_token', 'stale'));
  await page.reload();
  await expect.poll(() => readLocalSession(page)).toEqual(NOTHING_STORED);
  await expect(page).toHaveURL('/dashboard');
});

test('signing out before scripts run leaves a mark that clears local storage later', async ({
  page,
  stack,
}) => {
  await enterWithLocalSession(page, stack);
  // Leaving the page ends its own check of the token, which would find the session gone.
  await page.goto('about:blank');
  await page.request.post('/logout', { form: {}, headers: { Origin: stack.siteUrl } });
  await page.goto('/');
  await expect.poll(() => readLocalSession(page)).toEqual(NOTHING_STORED);
  await expect
    .poll(async () => (await page.context().cookies()).map(({ name }) => name))
    .not.toContain('signed-out');
});
