import type { Locator, Page } from 'playwright/test';
import { DAY, SECOND, toIso } from '#shared/clock';
import { withDatabase } from './news-data';
import { enterAs, type Person } from './people';
import { expect, type SharedStack } from './test';

/** Sends a command to the sandbox. */
export async function askSandbox(
  stack: SharedStack,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${stack.sandbox.origin}/control/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.ok, text).toBe(true);
  return JSON.parse(text);
}

/** Sends a command to the sandbox's Stripe. */
export const askStripe = (stack: SharedStack, method: string, path: string, body: object) =>
  askSandbox(stack, method, `stripe/${path}`, body);

/** Moves Stripe's test clock. */
export async function advanceDays(stack: SharedStack, days: number): Promise<void> {
  await askStripe(stack, 'POST', 'clock', { seconds: (days * DAY) / SECOND });
}

/** Signs in a new member with beta access. */
export async function enterWithBeta(page: Page, stack: SharedStack): Promise<Person> {
  const person = await enterAs(page, stack, 'member');
  const now = toIso(Date.now());
  await withDatabase(stack.dataDir, (db) =>
    db
      .updateTable('users')
      .set({ beta_requested_at: now, beta_approved_at: now, beta_ever_requested: 1 })
      .where('email', '=', person.email)
      .execute(),
  );
  return person;
}

/** Gives the member's customer at Stripe a credit of `pence`. */
export async function giveCredit(stack: SharedStack, email: string, pence: number): Promise<void> {
  const { customer } = await withDatabase(stack.dataDir, (db) =>
    db
      .selectFrom('payment_customers')
      .innerJoin('users', 'users.id', 'payment_customers.user_id')
      .select('stripe_customer_id as customer')
      .where('email', '=', email)
      .executeTakeFirstOrThrow(),
  );
  const answer = await fetch(`${stack.sandbox.origin}/v1/customers/${customer}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.environment.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams({ balance: String(-pence) }),
  });
  expect(answer.status).toBe(200);
}

export const CARDS = {
  succeeds: '4242424242424242',
  declined: '4000000000000002',
  /** Needs the bank's confirmation once. */
  challenge: '4000002500003155',
  /** Needs the bank's confirmation for every payment. */
  challengeAlways: '4000002760003184',
  /** Can be saved, but every charge fails. */
  failsLater: '4000000000000341',
} as const;

/** Fills in the card form of Stripe's element. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('main iframe');
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration date').fill('12 / 34');
  await frame.getByLabel('Security code').fill('123');
}

/** Fills in the card form of Stripe's hosted page and sends it. */
export async function payOnStripesPage(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^(Pay|Subscribe)/ }).click();
}

/** Saves another card in Stripe's customer portal, which is open. */
export async function setCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
  await page.locator('button[name="intent"][value="card"]').click();
  await expect(page.getByText(number.slice(-4)).first()).toBeVisible();
}

/** The bank's window, which Stripe puts at the end of the page. */
export function bankWindow(page: Page, answer: 'Complete' | 'Fail'): Locator {
  return page
    .frameLocator('body > * iframe[src*="/3ds/"], body > iframe[src*="/3ds/"]')
    .getByRole('button', { name: `${answer} authentication` });
}
