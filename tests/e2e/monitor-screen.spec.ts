import type { Page } from 'playwright/test';
import { withDatabase } from './news-data';
import { expectNoFaults } from './page-quality';
import { enterAs } from './people';
import { expect, MODES, test, type SharedStack } from './test';

async function order(stack: SharedStack, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${stack.sandbox.origin}/control/${path}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

const showShop = (stack: SharedStack, mode: string) => order(stack, 'shop', { mode });
const failWebhook = (stack: SharedStack, audience: string, faults: unknown[]) =>
  order(stack, `webhooks/${audience}/faults`, { faults });

async function checkNow(page: Page, result: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText(result)).toBeVisible({ timeout: 60_000 });
}

const lastAlert = (page: Page) => page.getByRole('region', { name: 'Last alert' });
const delivery = (page: Page, name: string) =>
  lastAlert(page).getByRole('listitem').filter({ hasText: name });

test.beforeEach(async ({ page, stack }) => {
  // A new admin for each test: checks by hand are limited by account.
  await enterAs(page, stack, 'admin');
  await page.goto('/dashboard/monitor');
});

for (const mode of MODES) {
  test(`a webhook is tested, deleted and set again, and each failure says why${mode}`, async ({
    page,
    stack,
  }) => {
    const free = page.getByRole('region', { name: 'Free webhook' });
    await page.getByRole('button', { name: 'Send test alert', exact: true }).click();
    await expect(page.getByText('Test alert sent successfully!')).toBeVisible();
    await expect(page.getByText('It is in the Discord channel of the instant webhook.')).toBeVisible();
    await failWebhook(stack, 'free', [{ kind: 'status', status: 400, count: 1 }]);
    await free.getByRole('button', { name: 'Send test alert' }).click();
    await expect(free.getByRole('alert')).toHaveText('Failed to send test alert');
    await expect(free.getByText(/^Discord answered 400 /)).toBeVisible();

    await free.getByRole('link', { name: 'Delete the free webhook' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the free webhook?' });
    await expect(question).toContainText('The free audience then gets no alert on Discord');
    await question.getByRole('link', { name: 'Keep it' }).click();
    await expect(question).toHaveCount(0);
    await free.getByRole('link', { name: 'Delete the free webhook' }).click();
    await question.getByRole('button', { name: 'Delete webhook' }).click();
    await expect(free.getByText('Webhook removed.')).toBeVisible();
    await free.getByLabel('Webhook URL').fill('https://example.com/hook');
    await free.getByRole('button', { name: 'Save' }).click();
    await expect(free.getByRole('alert')).toHaveText('Failed to update webhook URL');
    await expect(free.getByText(/^This is not a Discord webhook URL\./)).toBeVisible();
    await expect(free.getByLabel('Webhook URL')).toHaveValue('https://example.com/hook');
    await free.getByLabel('Webhook URL').fill(stack.sandbox.webhooks.free);
    await free.getByRole('button', { name: 'Save' }).click();
    await expect(free.getByText('Webhook URL updated successfully!')).toBeVisible();
    expect(await page.content()).not.toContain(stack.sandbox.webhooks.free);
  });
}

for (const mode of MODES) {
  test(`the settings are kept behind a toggle, and an invalid one is refused beside its field${mode}`, async ({
    page,
  }) => {
    const toggle = page.locator('main summary', { has: page.getByRole('heading', { name: 'Settings' }) });
    await toggle.click();
    const interval = page.getByLabel('Seconds between two checks');
    const before = await interval.inputValue();
    await interval.fill('5');
    await page.getByLabel('From').selectOption('9am');
    await page.getByLabel('To', { exact: true }).selectOption('9pm');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('The interval is a whole number of seconds from 15 to 3600.')).toBeVisible();
    await expect(interval).toHaveValue('5');
    await interval.fill('20');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('Settings saved.')).toBeVisible();
    await expect(page.getByText('Watching UK 9am to 9pm, every 20 s.')).toBeVisible();
    await interval.fill(before);
    await page.getByLabel('From').selectOption('midnight');
    await page.getByLabel('To', { exact: true }).selectOption('midnight');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('Watching UK all day')).toBeVisible();
  });
}

for (const mode of MODES) {
  test(`an admin follows a whole alert, and sends a failed message again${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
  }) => {
    test.slow();
    // An alert that closed a moment ago would open again.
    await withDatabase(stack.dataDir, (db) => db.deleteFrom('alerts').execute());
    const cards = page.locator('main dl').first();
    await checkNow(page, /^The shop is open: /);
    await expect(cards).toContainText('No waiting room');
    await failWebhook(stack, 'instant', [{ kind: 'status', status: 400, on: ['POST'], count: 1 }]);
    await showShop(stack, 'imperva-room');
    await checkNow(page, /^The waiting room is open: /);
    await expect(cards).toContainText('Live for');

    const instant = delivery(page, 'Instant audience, Discord');
    // Without scripts the page does not refresh itself.
    await expect(async () => {
      if (!javaScriptEnabled) await page.reload();
      await expect(instant).toContainText('Failed', { timeout: 500 });
    }).toPass();
    await expect(instant).toContainText('1 attempt');
    await expect(instant).toContainText('Reason: Discord answered 400');
    await expect(delivery(page, 'Free audience, Discord')).toContainText('Waiting');
    await expect(cards).toContainText('1 failed');
    if (javaScriptEnabled) await expectNoFaults(page);

    await instant.getByRole('button', { name: 'Retry' }).click();
    await expect(lastAlert(page).getByText('The message is waiting to be sent again.')).toBeVisible();
    await expect(async () => {
      if (!javaScriptEnabled) await page.reload();
      await expect(instant).toContainText('Sent', { timeout: 500 });
    }).toPass();

    await showShop(stack, 'open');
    await checkNow(page, /^The shop is open: /);
    await expect(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      await expect(lastAlert(page)).toContainText(/ and closed at /, { timeout: 5_000 });
    }).toPass();
    await expect(delivery(page, 'Free audience, Discord')).toContainText('Cancelled');
    await expect(async () => {
      if (!javaScriptEnabled) await page.reload();
      await expect(cards).toContainText('1 cancelled', { timeout: 1_000 });
    }).toPass();
  });
}

test('the status is read again within 30 s and the history within 60 s, but not in a hidden tab @own-context', async ({
  page,
}) => {
  const show = (state: 'visible' | 'hidden') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const countOf = (name: string) => asked.filter((path) => path.endsWith(name)).length;
  await page.clock.install();
  await page.reload();
  const live = page.waitForResponse('**/live.json');
  await page.clock.fastForward(30_500);
  await live;
  const history = page.waitForResponse('**/history.json');
  await page.clock.fastForward(30_500);
  await history;

  await show('hidden');
  const before = [countOf('/live.json'), countOf('/history.json')];
  await page.clock.fastForward(120_000);
  expect([countOf('/live.json'), countOf('/history.json')]).toEqual(before);
  const back = [page.waitForResponse('**/live.json'), page.waitForResponse('**/history.json')];
  await show('visible');
  await Promise.all(back);
});
