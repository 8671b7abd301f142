import { sql } from 'kysely';
import { createSession } from '#shared/accounts/sessions';
import { systemClock } from '#shared/clock';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { withDatabase } from './news-data';
import {
  enterWithLocalSession,
  joinDiscord,
  newPerson,
  NOTHING_STORED,
  readLocalSession,
  signInFirstTime,
} from './people';
import { expect, MODES, test } from './test';

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

for (const mode of MODES) {
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
    await expect(page.getByRole('status')).toHaveText('Session signed out.');
    const refused = await openDashboard();
    expect([refused.status, refused.headers.get('location')]).toEqual([
      302,
      '/?auth=login&next=%2Fdashboard&ended=1',
    ]);
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
