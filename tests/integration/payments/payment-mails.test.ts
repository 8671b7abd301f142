import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { addMail, PAYMENT_MAIL_LIFETIME_MS } from '#shared/mail/mails';
import type { PaymentMail } from '#shared/mail/payment-mails';
import { createAccountsFixture, EMAIL, type AccountsFixture } from '../accounts/accounts-fixture';

let fixture: AccountsFixture;
beforeEach(async () => {
  fixture = await createAccountsFixture();
});
afterEach(() => fixture.cleanup());

const INVOICE = 'in_1';

async function queueMail(facts: PaymentMail): Promise<void> {
  const now = fixture.clock.now();
  const mail = { to: EMAIL, template: facts.template, facts, expiresAt: now + PAYMENT_MAIL_LIFETIME_MS };
  await inTransaction(fixture.db, (trx) => addMail(trx, mail, now));
}

const renewal = (template: 'renewal_confirmation' | 'renewal_failed'): PaymentMail => ({
  template,
  packageName: 'Pro Monthly',
  invoiceId: INVOICE,
  amountPence: 999,
  graceUntil: toIso(fixture.clock.now() + 3 * DAY),
});

/** Stores an unpaid invoice of a new member. */
async function withOpenInvoice(): Promise<void> {
  const { id: user_id } = await fixture.member();
  const stamp = toIso(fixture.clock.now());
  const subscription_id = newId();
  await fixture.db
    .insertInto('subscriptions')
    .values({
      id: subscription_id,
      user_id,
      package_id: 'pro-monthly',
      stripe_subscription_id: 'sub_1',
      status: 'past_due',
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  await fixture.db
    .insertInto('subscription_invoices')
    .values({
      id: INVOICE,
      subscription_id,
      status: 'open',
      amount_due_pence: 999,
      amount_paid_pence: 0,
      attempt_count: 1,
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  fixture.mailbox.length = 0;
}

const statusOf = async (template: PaymentMail['template']) =>
  (
    await fixture.db
      .selectFrom('mails')
      .select('status')
      .where('template', '=', template)
      .executeTakeFirstOrThrow()
  ).status;

it('a mail about a payment is sent with the facts that it was queued with', async () => {
  await queueMail({
    template: 'tokens_bought',
    packageName: '50 Tokens',
    tokenCount: 50,
    amountPence: 499,
    paidAt: '2026-11-20T12:00:00.000Z',
  });
  const [sent, ...more] = await fixture.sendDueMails();
  expect(more).toEqual([]);
  expect(sent).toMatchObject({ to: EMAIL, subject: 'Your receipt: 50 tokens for £4.99' });
  expect(sent?.text).toContain('£4.99 for 50 Tokens on 20 November 2026');
  expect(sent?.html).toContain('£4.99 for 50 Tokens on 20 November 2026');
});

it.each(['renewal_confirmation', 'renewal_failed'] as const)(
  'a mail about an unpaid renewal (%s) is not sent once the invoice is settled',
  async (template) => {
    await withOpenInvoice();
    await queueMail(renewal(template));
    fixture.answers.push({ kind: 'retry', reason: 'not now' });
    expect(await fixture.sendDueMails()).toEqual([]);
    await fixture.db.updateTable('subscription_invoices').set({ status: 'paid' }).execute();
    fixture.clock.advance(HOUR);
    expect(await fixture.sendDueMails()).toEqual([]);
    expect(await statusOf(template)).toBe('cancelled');
  },
);

it('a mail about an unpaid renewal is sent while the invoice is open, and not after the grace', async () => {
  await withOpenInvoice();
  await queueMail(renewal('renewal_confirmation'));
  const [sent] = await fixture.sendDueMails();
  expect(sent?.text).toContain('https://packwatch.test/dashboard/subscription?confirm=1');
  await queueMail(renewal('renewal_failed'));
  fixture.clock.advance(3 * DAY);
  expect(await fixture.sendDueMails()).toEqual([]);
  expect(await statusOf('renewal_failed')).toBe('expired');
});
