import { expectNoFaults } from './page-quality';
import { enterAs } from './people';
import { expect, MODES, test, type SharedStack } from './test';

interface Mail {
  subject: string;
  text: string;
  headers: Record<string, string>;
  envelope: { to: string[] };
}

async function mailTo(stack: SharedStack, email: string): Promise<Mail | undefined> {
  const answer = await fetch(`${stack.sandbox.origin}/control/mails`);
  const { mails } = (await answer.json()) as { mails: Mail[] };
  return mails.find(({ envelope }) => envelope.to.includes(email));
}

for (const mode of MODES) {
  test(`a member sends a test, reads it, and unsubscribes with its link${mode}`, async ({ page, stack }) => {
    const { email } = await enterAs(page, stack, 'member');
    await page.goto('/account');
    await page.getByRole('button', { name: 'Send me a test' }).click();
    await expect(page.getByRole('status')).toHaveText(
      `A test is on its way to ${email}. It arrives within a minute.`,
    );
    await expect
      .poll(async () => (await mailTo(stack, email))?.subject, { timeout: 60_000 })
      .toBe('Test: alerts from Packwatch reach you');
    // Without scripts the page shows the result when it is loaded again.
    await expect(async () => {
      await page.goto('/account');
      await expect(page.getByText(`${email}: Sent`)).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });

    const link = /https?:\/\/\S+\/unsubscribe\?token=\S+/.exec((await mailTo(stack, email))?.text ?? '')?.[0];
    expect((await mailTo(stack, email))?.headers['list-unsubscribe']).toBe(`<${link}>`);
    await page.context().clearCookies();
    await page.goto(link ?? '');
    await expect(
      page.getByText('The address that received that email gets one the moment a waiting room opens.'),
    ).toBeVisible();
    await expect(page.getByText(email)).toHaveCount(0);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
  });
}

test('the unsubscribe page has no accessibility fault, with and without a token', async ({ page, stack }) => {
  await enterAs(page, stack, 'member');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Send me a test' }).click();
  await expect(page.getByText('Sent', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expectNoFaults(page);
  await page.goto('/unsubscribe?token=cut');
  await expect(page.getByRole('alert')).toContainText('This unsubscribe link is not complete');
  await expectNoFaults(page);
});

test('quiet hours take the time zone of the browser until another one is chosen @own-context', async ({
  browser,
  stack,
}) => {
  const context = await browser.newContext({ timezoneId: 'America/New_York', baseURL: stack.siteUrl });
  const page = await context.newPage();
  await enterAs(page, stack, 'member');
  await page.goto('/account');
  const zone = page.getByLabel('Your time zone');
  await expect(zone).toHaveValue('America/New_York');
  await expect(page.getByText('Taken from your browser.')).toBeVisible();
  await page.getByLabel('From', { exact: true }).selectOption('22');
  await page.getByLabel('Until', { exact: true }).selectOption('7');
  await page.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(page.getByText('By its official name')).toBeVisible();
  await expect(zone).toHaveValue('America/New_York');
  await zone.fill('Europe/London');
  // The first notice is still visible.
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Save quiet hours' }).click();
  await saved;
  await expect(page.getByText('Preferences saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('By its official name')).toBeVisible();
  await expect(zone).toHaveValue('Europe/London');
  await context.close();
});
