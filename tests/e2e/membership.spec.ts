import type { Page } from 'playwright/test';
import { SECOND } from '#shared/clock';
import {
  advanceDays,
  askStripe,
  bankWindow,
  CARDS,
  enterWithBeta,
  fillCard,
  giveCredit,
  payOnStripesPage,
  setCard,
} from './membership-data';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { runTool } from './stack';
import { showAgain } from './show-again';
import { expect, test } from './test';
import { translatePage } from './translate-page';

const PAGE = '/dashboard/subscription';

// A refused card is a 402 of Stripe's, which browsers note.
test.use({ notedFaults: /status of 402/, extraHTTPHeaders: {} });

test.beforeAll(async ({ stack }) => {
  await runTool('packages', ['sync'], stack.environment, stack.dataDir);
});

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay £/ });

/** Opens the payment step of the monthly plan, pays with a card, and waits for Pro. */
async function upgrade(page: Page, card: string): Promise<void> {
  await page.goto(PAGE);
  await page.getByRole('link', { name: 'Upgrade Now' }).first().click();
  await expect(page.getByRole('heading', { name: 'Complete Subscription' })).toBeVisible();
  await fillCard(page, card);
  await payButton(page).click();
  if (card !== CARDS.succeeds) await bankWindow(page, 'Complete').click();
  await expect(page.getByText('Subscription upgraded successfully!')).toBeVisible();
  await expect(page.getByText(/Renews on \d+ \w+ \d{4} for £9\.99/)).toBeVisible();
}

test('a member upgrades on a translated page', async ({ page, stack }) => {
  await enterWithBeta(page, stack);
  await page.goto(`${PAGE}?pay=pro-monthly`);
  await translatePage(page);
  await payButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('Your card number is incomplete.');
  await fillCard(page, CARDS.succeeds);
  await payButton(page).click();
  await expect(page.getByText('Subscription upgraded successfully!')).toBeVisible();
});

test('a member buys tokens from the dashboard: a refused card first, then another one', async ({
  page,
  stack,
}) => {
  const { email } = await enterWithBeta(page, stack);
  await page.goto('/dashboard');
  const opener = page.getByRole('link', { name: 'Purchase Tokens' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Buy Tokens' });
  await expect(dialog.getByText('They do not expire')).toBeVisible();
  await expectNoFaults(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard');
  await expect(opener).toBeFocused();

  await opener.click();
  await dialog.getByLabel('200 Tokens').check();
  await dialog.getByRole('button', { name: 'Purchase Selected Package' }).click();
  await expect(page.getByRole('heading', { name: 'Complete Token Purchase' })).toBeVisible();
  await expect(payButton(page)).toBeEnabled();
  await expectNoFaults(page);
  await payButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('Your card number is incomplete.');
  await fillCard(page, CARDS.declined);
  await payButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await expect(page.getByText(/^You were not charged\. .* Use another card/)).toBeVisible();
  await fillCard(page, CARDS.succeeds);
  await payButton(page).click();
  await expect(page.getByText('Tokens purchased successfully!')).toBeVisible();
  await expect(page.getByText('200 tokens')).toBeVisible();
  await expect(page.getByText('Usage Status: Excellent')).toBeVisible();
  await expectNoFaults(page);
  await page.goto(`${PAGE}?tab=tokens`);
  await expect(page.getByText('Completed')).toHaveCount(1);
  await expectNoFaults(page);

  // Credit reduces what a subscription charges first; the page says so before the button does.
  await giveCredit(stack, email, 400);
  await page.goto(`${PAGE}?pay=pro-monthly`);
  await expect(page.getByRole('button', { name: 'Pay £5.99' })).toBeEnabled();
  await expect(
    page.getByText('today, for Pro Monthly (per month): £9.99 less £4.00 of credit or discount'),
  ).toBeVisible();
  await expect(page.getByText('£5.99', { exact: true })).toBeVisible();
});

test('the bank’s window can be used while the card form is open; Reload and another tab charge once', async ({
  page,
  stack,
}) => {
  await enterWithBeta(page, stack);
  await page.goto(`${PAGE}?tab=tokens`);
  await page.getByLabel('50 Tokens').check();
  await page.getByRole('button', { name: 'Purchase Selected Package' }).click();
  await fillCard(page, CARDS.challenge);
  await payButton(page).click();
  await expect(bankWindow(page, 'Fail')).toBeVisible();
  // A bank whose page replaces this one, and Back.
  await expect(page.getByRole('button', { name: 'Paying…' })).toBeVisible();
  await showAgain(page);
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
  await bankWindow(page, 'Fail').click();
  await expect(page.getByRole('alert')).toContainText('unable to authenticate');
  await page.reload();

  const other = await page.context().newPage();
  await other.goto(page.url());
  await fillCard(other, CARDS.succeeds);
  await page.bringToFront();
  await fillCard(page, CARDS.challenge);
  await payButton(page).click();
  await bankWindow(page, 'Complete').click();
  await expect(page.getByText('Tokens purchased successfully!')).toBeVisible();
  await other.bringToFront();
  await payButton(other).click();
  await expect(other.getByText('Tokens purchased successfully!')).toBeVisible();
  await other.close();
  await expect(page.getByText('50 tokens', { exact: true })).toBeVisible();
  await page.goBack();
  await page.goto(`${PAGE}?tab=tokens`);
  await expect(page.getByText('50 tokens', { exact: true })).toBeVisible();
  await expect(page.getByText('Completed')).toHaveCount(1);
});

test('a member upgrades, switches, cancels and reactivates', async ({ page, stack }) => {
  await enterWithBeta(page, stack);
  await upgrade(page, CARDS.succeeds);

  await page.getByRole('link', { name: 'Change Plan' }).click();
  const change = page.getByRole('dialog', { name: 'Change Plan' });
  await change.getByRole('button', { name: 'Preview change' }).click();
  await expect(change.getByText('Additional Payment')).toBeVisible();
  await expectNoFaults(page);
  await change.getByRole('link', { name: 'Back' }).click();
  await expect(change.getByRole('radio', { name: /Pro Yearly/ })).toBeChecked();
  await expectNoFaults(page, change);
  await change.getByRole('button', { name: 'Preview change' }).click();
  await change.getByRole('button', { name: 'Confirm Change' }).click();
  await expect(page.getByRole('status')).toContainText('Your plan is now Pro Yearly.');
  await expect(page.getByText(/Pro Yearly\. Renews on .* for £95\.90/)).toBeVisible();

  const cancel = page.getByRole('dialog', { name: 'Cancel Subscription' });
  await page.getByRole('link', { name: 'Cancel', exact: true }).click();
  await expectNoFaults(page, cancel);
  await cancel.getByRole('link', { name: 'Keep Subscription' }).click();
  await expect(cancel).toHaveCount(0);
  await page.getByRole('link', { name: 'Cancel', exact: true }).click();
  await cancel.getByLabel('Reason (optional)').fill('No boxes left');
  await cancel.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByText('Canceling')).toBeVisible();
  await expect(page.getByText(/Expires on/)).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await expect(page.getByText(/Renews on/)).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByText('Days Remaining')).toBeVisible();
  await expectNoFaults(page);
});

test('a renewal and a change that need the bank’s confirmation are confirmed', async ({ page, stack }) => {
  await enterWithBeta(page, stack);
  await upgrade(page, CARDS.challengeAlways);
  await advanceDays(stack, 31);
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(page.getByText('Your bank wants you to confirm a payment.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Confirm payment' }).click();
  const confirm = page.getByRole('button', { name: 'Confirm £9.99' });
  await expect(confirm).toBeVisible();
  await expectNoFaults(page);
  await confirm.click();
  await expect(bankWindow(page, 'Complete')).toBeVisible();
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  // A bank whose page replaces this one, and Back.
  await showAgain(page);
  await expect(confirm).not.toHaveAttribute('aria-disabled');
  await bankWindow(page, 'Complete').click();
  await expect(page.getByText('Your payment is confirmed.')).toBeVisible();
  await expect(page.getByText(/Renews on/)).toBeVisible();

  await page.getByRole('button', { name: 'Switch Plan' }).click();
  await page.getByRole('button', { name: 'Confirm Change' }).click();
  const confirmChange = page.getByRole('button', { name: /^Confirm £/ });
  await confirmChange.click();
  await bankWindow(page, 'Complete').click();
  await expect(confirmChange).toHaveCount(0);
  // Stripe's event may come after the page.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/Pro Yearly\. Renews on/)).toBeVisible({ timeout: 500 });
  }).toPass();
});

test('a failed renewal is paid with another card', async ({ page, stack }) => {
  await enterWithBeta(page, stack);
  await upgrade(page, CARDS.succeeds);
  await page.getByRole('button', { name: 'Update card or see invoices' }).click();
  await setCard(page, CARDS.failsLater);
  await advanceDays(stack, 31);
  await expect(async () => {
    await page.goto(PAGE);
    await expect(page.getByText('Payment failed')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Pay now' }).click();
  await fillCard(page, CARDS.succeeds);
  await payButton(page).click();
  await expect(page.getByText('Your payment is confirmed.')).toBeVisible();
  await expect(page.getByText(/Renews on/)).toBeVisible();
});

test('while Stripe’s event is late, the page says that the payment was received @own-context', async ({
  page,
  stack,
}) => {
  await enterWithBeta(page, stack);
  await askStripe(stack, 'PUT', 'webhooks', { mode: 'hold' });
  try {
    await page.clock.install();
    await page.goto('/dashboard?buy=tokens-50');
    await fillCard(page, CARDS.succeeds);
    await payButton(page).click();
    await expect(page.getByText('They appear in your balance in a moment.')).toBeVisible();
    // Waits for the scripts of the page, which count the time.
    await page.reload();
    await page.clock.fastForward(21 * SECOND);
    await expect(page.getByText('Your payment was received.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Check again' })).toBeVisible();
  } finally {
    await askStripe(stack, 'PUT', 'webhooks', { mode: 'send' });
    await askStripe(stack, 'POST', 'webhooks/send', {});
  }
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('50 tokens', { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass();
});

test('dialogs, tabs and notices move nothing when the page starts @own-context', async ({ page, stack }) => {
  await enterWithBeta(page, stack);
  await watchLayout(page);
  for (const path of ['/dashboard', '/dashboard?buy=1', PAGE, `${PAGE}?tab=tokens`]) {
    await page.goto(path);
    expect(await layoutShifts(page), path).toEqual([]);
  }
  await page.goto(`${PAGE}?pay=pro-monthly`);
  await expect(payButton(page)).toBeEnabled();
  expect(await layoutShifts(page)).toEqual([]);
});

test('without scripts a member pays on Stripe’s own pages and is led back @no-scripts', async ({
  page,
  stack,
}) => {
  await enterWithBeta(page, stack);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Buy More Tokens' }).click();
  await page.getByLabel('50 Tokens').check();
  await page.getByRole('button', { name: 'Purchase Selected Package' }).click();
  await expect(page.getByText('£4.99', { exact: true })).toBeVisible();
  await expect(page.getByText('Creating Payment...')).toBeHidden();
  await page.getByRole('button', { name: 'Pay on Stripe’s page' }).click();
  await payOnStripesPage(page, CARDS.succeeds);
  await expect(page).toHaveURL(/\/dashboard\?.*purchase=/);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('50 tokens', { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText('Tokens purchased successfully!')).toBeVisible();

  await page.goto(PAGE);
  await page.getByRole('link', { name: 'Upgrade Now' }).first().click();
  await page.getByRole('button', { name: 'Pay on Stripe’s page' }).click();
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await expect(page).toHaveURL(`${PAGE}?unpaid=1`);
  await expect(page.getByText('You were not charged.')).toBeVisible();
  await page.getByRole('link', { name: 'Upgrade Now' }).first().click();
  await page.getByRole('button', { name: 'Pay on Stripe’s page' }).click();
  await payOnStripesPage(page, CARDS.succeeds);
  await expect(page).toHaveURL(/attempt=/);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/Renews on/)).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText('Subscription upgraded successfully!')).toBeVisible();

  await page.getByRole('button', { name: 'Switch Plan' }).click();
  await expect(page.getByText('Additional Payment')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm Change' }).click();
  await expect(page.getByText('Your plan is now Pro Yearly.')).toBeVisible();
  await page.getByRole('link', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByText('Canceling')).toBeVisible();
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await expect(page.getByText(/Renews on/)).toBeVisible();
  await page.getByRole('button', { name: 'Update card or see invoices' }).click();
  await expect(page.getByText('4242').first()).toBeVisible();
});

test.describe('a script file that is gone', () => {
  // Browsers note the 404 and the failed import.
  test.use({ notedFaults: /status of 404|dynamically imported module/ });

  test('a card form whose file is gone reloads the page once, then offers another try beside Stripe’s page', async ({
    page,
    stack,
  }) => {
    await enterWithBeta(page, stack);
    let requests = 0;
    await page.route(/\/assets\/card-form-[^/]*\.js/, (route) => {
      requests += 1;
      return route.fulfill({ status: 404, body: 'gone' });
    });
    await page.goto(PAGE);
    await page.getByRole('link', { name: 'Upgrade Now' }).first().click();
    await expect(page.getByText('Stripe has not loaded yet. Please try again.')).toBeVisible();
    expect(requests).toBeGreaterThan(1);
    await expect(page.getByRole('button', { name: 'Pay on Stripe’s page' })).toBeVisible();
    await page.unroute(/\/assets\/card-form-[^/]*\.js/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payButton(page)).toBeEnabled();

    // The payment succeeds, and the next page does not arrive (RFC 9110, section 15.3.5).
    const next = /redirect_status=succeeded/;
    await page.route(next, (route) => route.fulfill({ status: 204 }));
    const left = page.waitForRequest(next);
    await fillCard(page, CARDS.succeeds);
    await payButton(page).click({ noWaitAfter: true });
    await left;
    await showAgain(page, false);
    await expect(page.getByText('There is nothing more to pay here.')).toBeVisible();
    await expect(payButton(page)).toHaveCount(0);
    await page.unroute(next);
    await page.getByRole('link', { name: 'Continue' }).click();
    await expect(page.getByText(/Renews on/)).toBeVisible();
  });
});
