import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasDesktopAccess } from '#shared/accounts/profile';
import { findAccountByEmail } from '#shared/accounts/account';
import { readMembership } from '#shared/subscriptions/membership';
import { listUsage, readBalance } from '#shared/tokens/token-ledger';
import { listPurchases } from '#shared/tokens/purchases';
import { addDemoMembers } from '../../../daemon/cli/demo/demo-members';
import { createPaymentsFixture, type PaymentsFixture } from '../payments/payments-fixture';

let fixture: PaymentsFixture;
beforeEach(async () => {
  fixture = await createPaymentsFixture();
});
afterEach(() => fixture.cleanup());

async function memberOf(email: string) {
  const { db, context } = fixture;
  const account = await findAccountByEmail(db, email);
  if (account === null) throw new Error(`there is no ${email}`);
  const membership = await readMembership(db, { accountId: account.id, now: context.clock.now() });
  return { account, membership };
}

test('the demo members are a Pro and a free member, and Stripe has the payments', async () => {
  const { db, context, client, sandbox } = fixture;
  const emails = sandbox.memberEmails;
  expect(await addDemoMembers(context, emails)).toEqual([
    'free@packwatch.example has beta access.',
    'pro@packwatch.example has beta access, Pro and tokens.',
  ]);
  const free = await memberOf(emails.free);
  expect(free.account.beta_approved_at).not.toBeNull();
  expect(free.membership.tier).toBe('free');

  const pro = await memberOf(emails.pro);
  const accountId = pro.account.id;
  expect(hasDesktopAccess(pro)).toBe(true);
  expect(await readBalance(db, { accountId })).toBe(42);
  expect(await listUsage(db, { accountId })).toHaveLength(8);
  expect(await listPurchases(db, { accountId })).toMatchObject([{ status: 'completed', amountPence: 499 }]);
  const { data } = await client.subscriptions.list({ status: 'active' });
  expect(data).toHaveLength(1);

  // A second run changes nothing.
  expect(await addDemoMembers(context, emails)).toEqual([]);
  expect(await readBalance(db, { accountId })).toBe(42);
});

test('an account that exists stays as it is', async () => {
  const { db, context } = fixture;
  const { email } = await fixture.payer('pro@packwatch.example');
  await db.updateTable('users').set({ beta_approved_at: null }).where('email', '=', email).execute();
  expect(await addDemoMembers(context, { pro: email })).toEqual([]);
  expect((await memberOf(email)).account.beta_approved_at).toBeNull();
});

test('without the sandbox’s Stripe nothing is bought', async () => {
  const { context } = fixture;
  const email = 'pro@packwatch.example';
  expect(await addDemoMembers({ ...context, stripe: null }, { pro: email })).toEqual([
    `${email} has beta access, but not Pro, which only the sandbox’s Stripe sells for a demo.`,
  ]);
  expect((await memberOf(email)).membership.tier).toBe('free');
});

test('when Stripe fails, the member is there and a sentence says what is missing', async () => {
  const { context, sandbox } = fixture;
  await sandbox.close();
  const [line] = await addDemoMembers(context, { pro: 'pro@packwatch.example' });
  expect(line).toMatch(/^pro@packwatch.example has beta access, but could not buy Pro and tokens: .+/);
});
