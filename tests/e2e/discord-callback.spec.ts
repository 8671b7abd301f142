import { holdBack } from './hold-back';
import { enterWithLocalSession, goThroughDiscord, openSession, readLocalSession } from './people';
import { expect, MODES, test } from './test';

for (const mode of MODES) {
  test(`the success page without a session says that the browser is not signed in${mode}`, async ({
    page,
  }) => {
    const home = await holdBack(page, /\/$/);
    await page.goto('/auth/discord/success');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are not signed in');
    home.go();
    await expect(page).toHaveURL('/?auth=login&next=%2Fdashboard');
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
    const answers: [string, string, string][] = [
      ['status=error', 'Failed to authenticate with Discord', 'Try again here'],
      ['error=server_error', 'Discord authentication failed: server_error', 'Wait a minute and try again'],
      ['', 'Invalid authentication state', 'Start again.'],
    ];
    for (const [query, text, help] of answers) {
      await page.goto(`/auth/discord/callback?${query}`);
      await expect(page.getByRole('alert')).toHaveText(text);
      await expect(page.getByText(help)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign in with Discord again' })).toBeVisible();
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
    const home = await holdBack(page, /\/$/);
    const answer = await page.goto(`/auth/discord/success?token=${theirs}`);
    expect(answer?.headers()).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    await expect(page.getByRole('alert')).toHaveText('Failed to refresh authentication');
    home.go();
    await expect(page).toHaveURL('/');
    expect(await readLocalSession(page)).toEqual(before);

    await page.goto('/auth/discord/success');
    await expect(page).toHaveURL('/dashboard');
  });
}
