import type { Insertable, QueryId } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { DAY, toIso } from '#shared/clock';
import { openDatabase } from '#shared/database/connection.server';
import type { Database } from '#shared/database/schema';
import type { SubscriptionsTable } from '#shared/database/tables/payments/subscriptions';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { recordFault } from '#shared/payments/payment-faults';
import { appendEntry } from '#shared/tokens/token-ledger';
import { serverContext } from '~/http/server/context.server';
import * as dashboard from '~/routes/dashboard/dashboard';
import * as subscription from '~/routes/dashboard/subscription';
import { setReleases } from '../../fixtures/releases/set-releases';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';

/** Makes the site run `change` once, when it has read a balance. The result says whether it has run. */
function afterBalance(change: (db: Database) => Promise<unknown>): () => boolean {
  const context = serverContext();
  const readings = new WeakSet<QueryId>();
  let hasRun = false;
  context.db = context.db.withPlugin({
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('"token_ledger"')) readings.add(queryId);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (hasRun || !readings.has(queryId)) return result;
      hasRun = true;
      // The connection that reads is taken.
      const other = openDatabase(context.config.database);
      try {
        await change(other);
      } finally {
        await other.destroy();
      }
      return result;
    },
  });
  return () => hasRun;
}

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
  STRIPE_API_URL: 'http://127.0.0.1:9',
  STRIPE_JS_URL: 'http://127.0.0.1:9/stripe.js',
};
const site = createRenderedSite({ '/dashboard': dashboard, '/dashboard/subscription': subscription });
const PAGE = '/dashboard/subscription';

let fixture: ApiFixture;
let member: Account;
let token: string;

async function enter(persona: 'member' | 'beta' | 'admin', environment: Record<string, string> = STRIPE) {
  fixture = await createApiFixture(environment);
  member = await fixture.account(persona);
  token = await fixture.signIn(member);
}

const read = async (path: string) => (await site.get(path, token)).text;

const longDate = (ms: number) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'Europe/London',
  }).format(ms);

/** Every plan has its price at Stripe. */
async function makePlansSellable(): Promise<void> {
  for (const id of ['pro-monthly', 'pro-yearly'])
    await fixture.db
      .updateTable('subscription_packages')
      .set({ stripe_price_id: `price_${id}` })
      .where('id', '=', id)
      .execute();
}

/** Gives the member a monthly subscription that renews in 24 days. Returns its id. */
async function subscribe(fields: Partial<Insertable<SubscriptionsTable>> = {}): Promise<string> {
  const id = newId();
  const now = Date.now();
  await fixture.db
    .insertInto('subscriptions')
    .values({
      id,
      user_id: member.id,
      package_id: 'pro-monthly',
      stripe_subscription_id: `sub_${id}`,
      status: 'active',
      current_period_start: toIso(now - 6 * DAY),
      current_period_end: toIso(now + 24 * DAY),
      cancel_at_period_end: 0,
      needs_confirmation: 0,
      renewal_pence: 999,
      renewal_at: toIso(now + 24 * DAY),
      renewal_read_at: toIso(now),
      created_at: toIso(now),
      updated_at: toIso(now),
      ...fields,
    })
    .execute();
  return id;
}

/** A purchase of 200 tokens; a completed one is in the ledger with `credited` tokens. */
async function buy(
  status: 'pending' | 'completed' | 'failed',
  { daysAgo = 0, name = '200 Tokens', credited = 200, owner = member } = {},
): Promise<string> {
  const id = newId();
  const now = Date.now();
  await fixture.db
    .insertInto('token_purchases')
    .values({
      id,
      user_id: owner.id,
      package_id: 'tokens-200',
      package_name: name,
      token_count: 200,
      amount_pence: 1499,
      status,
      created_at: toIso(now - daysAgo * DAY),
      updated_at: toIso(now),
    })
    .execute();
  if (status === 'completed')
    await inTransaction(fixture.db, (trx) =>
      appendEntry(trx, {
        accountId: owner.id,
        entry: { kind: 'purchase', tokens: credited, purchase_id: id, source_id: id },
        now,
      }),
    );
  return id;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.cleanup();
});

describe('with beta access', () => {
  beforeEach(() => enter('beta'));

  it('a free member sees the free plan, no tokens, and what comes later', async () => {
    const text = await read('/dashboard');
    for (const part of [
      'Free Beta Access Alerts 30 seconds after Pro Discord only Basic checkout Community support Upgrade to Pro',
      'Token Balance 0 tokens Usage Status: Low Buy More Tokens',
      'Quick Actions Purchase Tokens Subscription Settings',
      'Coming Soon',
      'There is nothing to download yet',
    ])
      expect(text).toContain(part);
    expect(text).toContain('Upgrade to Pro Nothing is charged.');
    expect(text).not.toContain('Days Remaining');
  });

  it('the overview says when the plan renews or ends, and for how much', async () => {
    const id = await subscribe();
    const end = longDate(Date.now() + 24 * DAY);
    const change = (fields: Partial<Insertable<SubscriptionsTable>>) =>
      fixture.db.updateTable('subscriptions').set(fields).where('id', '=', id).execute();
    expect(await read('/dashboard')).toContain(`Renews on ${end} for £9.99.`);
    // Stripe took a discount off, then the customer's credit; the price of the plan is no amount of a renewal.
    await change({ renewal_pence: 499 });
    expect(await read('/dashboard')).toContain(`Renews on ${end} for £4.99.`);
    await change({ renewal_pence: 0 });
    expect(await read('/dashboard')).toContain(`Renews on ${end}, with nothing to pay.`);
    await change({ renewal_pence: 9590, renewal_package_id: 'pro-yearly' });
    expect(await read('/dashboard')).toContain(`Changes to Pro Yearly on ${end} for £95.90.`);
    await change({ renewal_pence: 999, renewal_package_id: null });

    // What is not known for certain is not said: an old reading, one of another period, none.
    for (const unknown of [
      { renewal_read_at: toIso(Date.now() - 2 * DAY) },
      { renewal_at: toIso(Date.now() - 6 * DAY) },
      { missing_since: toIso(Date.now()) },
      { renewal_pence: null },
    ]) {
      const known = await fixture.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
      await change(unknown);
      for (const path of ['/dashboard', PAGE]) expect(await read(path)).toContain(`Renews on ${end}.`);
      await change(known);
    }

    await change({ status: 'trialing' });
    expect(await read('/dashboard')).toContain(
      `Your trial ends on ${end}. £9.99 is charged then, unless you cancel before.`,
    );
    await change({ renewal_pence: null });
    expect(await read(PAGE)).toMatch(new RegExp(`Your trial ends on ${end}\\. (?!£)`));
    const resumes = Date.now() + 60 * DAY;
    await change({ status: 'active', renewal_pence: 999, payments_paused: 1 });
    expect(await read('/dashboard')).toContain('Payments are paused. Nothing is charged until they resume.');
    await change({ payments_resume_at: toIso(resumes) });
    expect(await read(PAGE)).toContain(
      `Payments are paused. Nothing is charged before ${longDate(resumes)}.`,
    );
    // They run again before the renewal.
    await change({ payments_resume_at: toIso(Date.now() + DAY) });
    expect(await read('/dashboard')).toContain(`Renews on ${end} for £9.99.`);
    await change({ payments_paused: 0, payments_resume_at: null });

    // Midnight of the UK in summer is the evening before in UTC.
    const summer = '2099-06-30T23:30:00.000Z';
    await change({ current_period_end: summer, renewal_at: summer });
    expect(await read('/dashboard')).toContain('Renews on 1 July 2099 for £9.99.');
    const due = toIso(Date.now() - 1000);
    await change({ current_period_end: due, renewal_at: due });
    expect(await read('/dashboard')).toContain(
      `The renewal of ${longDate(Date.now() - 1000)} for £9.99 is on its way.`,
    );

    const next = toIso(Date.now() + 24 * DAY);
    await change({ current_period_end: next, renewal_at: next, cancel_at_period_end: 1 });
    expect(await read('/dashboard')).toContain(`Ends on ${end}. You are not charged again.`);
    const later = toIso(Date.now() + 90 * DAY);
    await change({ cancel_at_period_end: 0, cancel_at: later });
    expect(await read('/dashboard')).toContain(
      `Ends on ${longDate(Date.now() + 90 * DAY)}. Until then it renews, next on ${end} for £9.99.`,
    );
    await change({ cancel_at: null, status: 'past_due' });
    expect(await read('/dashboard')).toContain(`Ends on ${end}, unless the open payment is paid before.`);
    await change({ grace_until: toIso(Date.now() + 2 * DAY) });
    expect(await read('/dashboard')).toContain(
      `Ends on ${longDate(Date.now() + 2 * DAY)}, unless the renewal is paid before.`,
    );
    await change({ status: 'paused', grace_until: null });
    for (const path of ['/dashboard', PAGE])
      expect(await read(path)).toContain(
        'Your Pro subscription is paused. Nothing is charged until it is resumed.',
      );
  });

  it('the prices of tokens say that there is no app yet, above the button, until there is one', async () => {
    await makePlansSellable();
    const note = 'There is no desktop app to download yet, so tokens cannot be spent yet.';
    for (const page of ['/dashboard?buy=1', `${PAGE}?tab=tokens`]) {
      const text = await read(page);
      expect(text.indexOf(note)).toBeGreaterThan(text.indexOf('£'));
      expect(text.indexOf(note)).toBeLessThan(text.indexOf('Purchase Selected Package'));
    }
    for (const page of ['/dashboard?buy=tokens-200', `${PAGE}?tab=tokens&buy=tokens-200`])
      expect(await read(page)).toContain(note);
    await setReleases(fixture.db, serverContext().config.dataDir, [{ version: '1.0.0' }]);
    for (const page of ['/dashboard?buy=1', `${PAGE}?tab=tokens`, '/dashboard?buy=tokens-200'])
      expect(await read(page)).not.toContain(note);
  });

  it.each([
    [101, 'Excellent', 101],
    [100, 'Good', 100],
    [21, 'Good', 21],
    [20, 'Low', 20],
    [500, 'Excellent', 200],
    [-3, 'Low', 0],
  ])('%i tokens are %s, and fill %i of 200 of the bar', async (tokens, label, filled) => {
    await buy('completed', { credited: tokens });
    const { text, html } = await site.get('/dashboard', token);
    expect(text).toContain(`Token Balance ${tokens} tokens Usage Status: ${label}`);
    expect(html).toMatch(new RegExp(`<progress[^>]* max="200" value="${filled}"`));
    expect(text.includes('you owe 3')).toBe(tokens < 0);
  });

  it('each state of a subscription has its badge, its date and its actions', async () => {
    await makePlansSellable();
    const id = await subscribe();
    const end = longDate(Date.now() + 24 * DAY);
    const graceEnd = longDate(Date.now() + 2 * DAY);
    const change = (fields: Partial<Insertable<SubscriptionsTable>>) =>
      fixture.db.updateTable('subscriptions').set(fields).where('id', '=', id).execute();

    const active = await read('/dashboard');
    expect(active).toContain(`Pro Active Beta Access Active until ${end} Days Remaining 24`);
    expect(active).toContain('Instant alerts Priority checkout Priority support Advanced features');
    expect(active).toContain('Manage Subscription');
    const managed = await read(PAGE);
    expect(managed).toContain(`Pro Active Pro Monthly. Renews on ${end} for £9.99`);
    expect(managed).toContain('Change Plan Cancel After you cancel, Pro runs until that day.');
    expect(managed).toContain(
      '£9.99 per month Instant alerts and the desktop app, paid by the month. Current plan',
    );
    expect(managed).toContain('20% discount Best Value £95.90 per year');
    expect(managed).toContain('Switch Plan The next step shows what is due today.');

    await change({ cancel_at_period_end: 1 });
    const canceling = await read(PAGE);
    expect(canceling).toContain(`Pro Canceling Pro Monthly. Expires on ${end}`);
    expect(canceling).toContain(`Reactivate Nothing is charged today. Pro then renews on ${end} for £9.99`);
    expect(canceling).not.toContain('Change Plan');
    expect(await read(`${PAGE}?cancel=1`)).not.toContain('Keep Subscription');

    // By a date within the period, as at Stripe; it renews at the period's end when that is taken back.
    await change({ cancel_at_period_end: 0, cancel_at: toIso(Date.now() + 2 * DAY) });
    const ending = await read(PAGE);
    expect(ending).toContain(`Pro Canceling Pro Monthly. Expires on ${graceEnd}`);
    expect(ending).toContain(`Reactivate Nothing is charged today. Pro then renews on ${end} for £9.99`);
    await change({ cancel_at: toIso(Date.now() + 90 * DAY) });
    expect(await read(PAGE)).toContain(`Until then it renews, next on ${end}`);

    // Another payment than the renewal failed.
    await change({ cancel_at: null, status: 'past_due' });
    expect(await read(PAGE)).toContain(
      `A payment for your plan could not be charged. Pro stays on until ${end}`,
    );
    expect(await read(`${PAGE}?cancel=1`)).toContain(`Pro stays on until ${end}, then your account is free.`);

    await change({ status: 'past_due', grace_until: toIso(Date.now() + 2 * DAY) });
    expect(await read('/dashboard')).toContain(
      `Your renewal could not be charged. Pro stays on until ${graceEnd}`,
    );
    expect(await read(PAGE)).toContain(`Pro Payment failed Pro Monthly. Expires on ${graceEnd}`);
    await change({ needs_confirmation: 1 });
    expect(await read('/dashboard')).toContain('Your bank wants you to confirm a payment.');

    await change({ status: 'canceled', needs_confirmation: 0 });
    expect(await read(PAGE)).toContain('Current Plan Free');
  });

  it('the page says that a plan cannot be sold, and that there are no plans or no token packages', async () => {
    await makePlansSellable();
    await fixture.db
      .updateTable('subscription_packages')
      .set({ stripe_fault: 'The price at Stripe differs.' })
      .where('id', '=', 'pro-yearly')
      .execute();
    const text = await read(PAGE);
    expect(text).toContain(
      'Upgrade Now £9.99 today, then £9.99 every 30 days until you cancel on this page. Any credit on your account is used first.',
    );
    expect(text).toContain('Upgrade Now This plan cannot be bought at the moment.');
    const retired = { retired_at: toIso(Date.now()) };
    await fixture.db.updateTable('subscription_packages').set(retired).execute();
    await fixture.db.updateTable('token_packages').set(retired).execute();
    expect(await read(PAGE)).toContain('No subscription packages available at the moment.');
    expect(await read(`${PAGE}?tab=tokens`)).toContain('No token packages available at the moment.');
    expect(await read('/dashboard?buy=1')).toContain('No token packages available at the moment.');
  });

  it('the tokens tab has the packages with their labels, and the five latest purchases', async () => {
    for (const [daysAgo, status] of (
      ['completed', 'failed', 'completed', 'failed', 'failed'] as const
    ).entries())
      await buy(status, { daysAgo, name: `Purchase ${daysAgo}` });
    await buy('failed', { daysAgo: 9, name: 'The sixth' });
    const text = await read(`${PAGE}?tab=tokens`);
    expect(text).toContain('50 Tokens £4.99');
    expect(text).toContain('200 Tokens Popular £14.99');
    expect(text).toContain('1,000 Tokens Best Value £49.99');
    expect(text).toContain('Purchase Selected Package One payment of the price shown; nothing renews.');
    expect(text).toContain('They do not expire');
    expect(text).toMatch(
      /Purchase 0 \d+ \w+ \d{4}, 200 tokens Completed £14\.99 Purchase 1 .* Failed £14\.99/,
    );
    expect(text).toContain('Purchase 4');
    expect(text).not.toContain('The sixth');
    // The payment step was opened and left.
    const opened = await buy('pending', { name: 'Only opened' });
    expect(await read(`${PAGE}?tab=tokens`)).not.toContain('Only opened');
    expect(await read(`${PAGE}?tab=tokens&purchase=${opened}`)).toMatch(/Only opened .* Pending/);
    await fixture.db
      .updateTable('token_purchases')
      .set({ submitted_at: toIso(Date.now()) })
      .where('id', '=', opened)
      .execute();
    expect(await read(`${PAGE}?tab=tokens`)).toMatch(/Only opened .* Pending/);
    await subscribe();
    expect(await read(`${PAGE}?tab=tokens`)).not.toContain('They do not expire');
  });

  it('a payment that Stripe reports as failed, or a return from its page, says that nothing was charged', async () => {
    const purchase = await buy('pending');
    const failed = 'Payment was not completed successfully. Try again You were not charged.';
    expect(await read(`${PAGE}?tab=tokens&purchase=${purchase}&redirect_status=failed`)).toContain(failed);
    expect(await read(`/dashboard?purchase=${purchase}`)).toContain('Waiting for Stripe');
    const declined = await buy('failed');
    expect(await read(`/dashboard?purchase=${declined}`)).toContain(failed);
    const left = 'Try again You left Stripe’s page before paying. You were not charged.';
    for (const page of ['/dashboard?unpaid=1', `${PAGE}?unpaid=1`, `${PAGE}?tab=tokens&unpaid=1`])
      expect(await read(page)).toContain(left);
    await subscribe();
    expect(await read(`${PAGE}?unpaid=1`)).not.toContain(left);
  });

  it('each dialog is part of the page that its address opens', async () => {
    await makePlansSellable();
    const id = await subscribe();
    expect(await read(`${PAGE}?cancel=1`)).toMatch(
      /Cancel Subscription Pro stays on until .* Reason \(optional\) .* Keep Subscription Cancel Subscription/,
    );
    expect(await read(`${PAGE}?change=1`)).toMatch(
      /Change Plan Choose a plan\. .* Pro Monthly Current plan Pro Yearly £95\.90 per year Keep my plan Preview change/,
    );
    expect(await read(`${PAGE}?change=pro-yearly`)).toContain('A preview is valid for fifteen minutes.');
    expect(await read(`${PAGE}?change=pro-monthly`)).not.toContain('A preview is valid');
    expect(await read('/dashboard?buy=1')).toMatch(
      /Buy Tokens Token packages 50 Tokens .* Not now Purchase Selected Package/,
    );
    const now = Date.now();
    const quote = {
      id: newId(),
      user_id: member.id,
      subscription_id: id,
      from_package_id: 'pro-monthly',
      new_package_id: 'pro-yearly',
      proration_at: 1,
      remaining_pence: 799,
      prorated_pence: 8791,
      status: 'open' as const,
      created_at: toIso(now),
      expires_at: toIso(now + DAY),
    };
    await fixture.db.insertInto('plan_quotes').values(quote).execute();
    const preview = await read(`${PAGE}?change=pro-yearly`);
    expect(preview).toContain(
      'Current plan Pro Monthly New plan Pro Yearly, £95.90 per year Remaining value £7.99',
    );
    expect(preview).toContain('Additional Payment £87.91 £87.91 is charged today');
    expect(preview).toContain(`renews on ${longDate(now + 365 * DAY)}, then every 365 days`);
    await fixture.db.updateTable('plan_quotes').set({ prorated_pence: -250 }).execute();
    expect(await read(`${PAGE}?change=pro-yearly`)).toContain(
      'Credit Applied £2.50 Nothing is charged today.',
    );
    await fixture.db
      .updateTable('plan_quotes')
      .set({ expires_at: toIso(now - 1) })
      .execute();
    expect(await read(`${PAGE}?change=pro-yearly`)).toContain('A preview is valid for fifteen minutes.');
  });

  it('the payment step says what is charged, and alone may load Stripe.js', async () => {
    await makePlansSellable();
    const plan = await site.get(`${PAGE}?pay=pro-yearly`, token);
    expect(plan.text).toContain(
      'What you pay £95.90 today, for Pro Yearly (per year), less any credit on your account',
    );
    expect(plan.text).toContain('It renews automatically: £95.90 every 365 days, less any credit');
    expect(plan.text).toContain('Stripe’s own site shows what is due before you pay');
    expect(plan.text).toContain('Creating Payment... Pay on Stripe’s page');
    const tokens = await site.get('/dashboard?buy=tokens-50', token);
    expect(tokens.text).toContain('Complete Token Purchase What you pay £4.99 today, once, for 50 tokens');
    expect(tokens.text).toContain('Nothing renews');
    for (const { policy, permissions } of [plan, tokens]) {
      expect(permissions).toContain('payment=(self "http://127.0.0.1:9")');
      expect(policy).toMatch(/script-src [^;]* http:\/\/127\.0\.0\.1:9(;|$)/);
      expect(policy).toContain('frame-src http://127.0.0.1:9 https://hooks.stripe.com');
      expect(policy).toMatch(/connect-src [^;]*http:\/\/127\.0\.0\.1:9/);
    }
    for (const path of ['/dashboard', PAGE, `${PAGE}?tab=tokens`, '/dashboard?buy=1'])
      expect(await site.get(path, token)).toMatchObject({
        policy: expect.not.stringMatching(/(script|frame)-src [^;]*127\.0\.0\.1/),
        permissions: '',
      });
  });

  it('there is no payment step where there is nothing to pay', async () => {
    const leadsTo = async (path: string) => (await site.get(path, token)).leadsTo;
    expect(await leadsTo(`${PAGE}?pay=pro-yearly`)).toBe(PAGE);
    expect(await leadsTo(`${PAGE}?pay=unknown`)).toBe(PAGE);
    expect(await leadsTo(`${PAGE}?tab=tokens&buy=unknown`)).toBe(`${PAGE}?tab=tokens`);
    expect(await leadsTo('/dashboard?buy=unknown')).toBe('/dashboard');
    await makePlansSellable();
    await subscribe();
    expect(await leadsTo(`${PAGE}?pay=pro-yearly`)).toBe(PAGE);
  });

  it('the page after a payment says that it is done only beside the new balance', async () => {
    for (const path of ['/dashboard', PAGE]) {
      const purchase = await buy('pending');
      const hasChanged = afterBalance((db) =>
        db.updateTable('token_purchases').set({ status: 'completed' }).where('id', '=', purchase).execute(),
      );
      expect(await read(`${path}?tab=tokens&purchase=${purchase}`)).toContain(
        'Waiting for Stripe to confirm',
      );
      expect(hasChanged()).toBe(true);
    }
  });

  it('the page after a payment says what became of it, of the member’s own payments alone', async () => {
    const pending = await buy('pending');
    expect(await read(`${PAGE}?tab=tokens&purchase=${pending}`)).toContain('Waiting for Stripe to confirm');
    expect(await read(`/dashboard?purchase=${pending}&redirect_status=succeeded`)).toContain(
      'Tokens purchased successfully! They appear in your balance in a moment.',
    );
    const completed = await buy('completed');
    expect(await read(`/dashboard?purchase=${completed}`)).toContain('Tokens purchased successfully!');
    const failed = await buy('failed');
    expect(await read(`${PAGE}?purchase=${failed}&redirect_status=succeeded`)).toContain(
      'Payment was not completed successfully. Try again',
    );
    const other = await buy('completed', { owner: await fixture.account('beta') });
    expect(await read(`/dashboard?purchase=${other}&redirect_status=succeeded`)).not.toContain(
      'successfully',
    );
    const attempt = await subscribe();
    expect(await read(`${PAGE}?attempt=${attempt}`)).toContain('Subscription upgraded successfully!');
    expect(await read(`${PAGE}?attempt=unknown&redirect_status=succeeded`)).not.toContain('successfully');
    expect(await read(`${PAGE}?confirmed=1`)).toContain('Your payment is confirmed.');
  });

  it('a refused form keeps what was typed and says why', async () => {
    const without = await site.post(`${PAGE}?cancel=1`, token, { intent: 'cancel', reason: 'Too dear' });
    expect(without.text).toContain('You have no active subscription.');
    await subscribe();
    const refused = await site.post(`${PAGE}?cancel=1`, token, { intent: 'cancel', reason: 'x'.repeat(501) });
    expect(refused.text).toContain('Please use at most 500 characters.');
    expect(refused.html).toMatch(/x{501}<\/textarea>/);
    // Stripe cannot be reached at the address of these tests.
    for (const intent of ['cancel', 'portal', 'preview']) {
      const failed = await site.post(PAGE, token, { intent, reason: 'Too dear', packageId: 'pro-yearly' });
      expect(failed.html).toMatch(/role="alert"/);
    }
    expect(await read(`${PAGE}?confirm=1`)).toContain('Try again');
    expect((await site.post(PAGE, token, { intent: 'unknown' })).status).toBe(400);
  });
});

describe('without beta access', () => {
  beforeEach(() => enter('member'));

  it('there is the beta request, and nothing can be bought', async () => {
    await makePlansSellable();
    for (const path of ['/dashboard', PAGE, `${PAGE}?tab=tokens`]) {
      const text = await read(path);
      expect(text).toContain('Request Beta Access');
      expect(text).not.toMatch(/Upgrade|Purchase|Buy|£/);
    }
    expect((await site.get('/dashboard?buy=tokens-50', token)).leadsTo).toBe('/dashboard');
    expect((await site.get(`${PAGE}?pay=pro-yearly`, token)).leadsTo).toBe(PAGE);
    for (const intent of ['start-tokens', 'checkout-tokens', 'start-subscription', 'preview', 'change'])
      expect((await site.post(PAGE, token, { intent, packageId: 'tokens-50' })).leadsTo).toBeNull();
    expect(await fixture.db.selectFrom('token_purchases').selectAll().execute()).toEqual([]);
  });

  it('a subscription that outlives beta access can be canceled', async () => {
    await subscribe();
    expect(await read('/dashboard')).toContain('You can cancel it without beta access.');
    const text = await read(PAGE);
    expect(text).toContain('Renews on');
    expect(text).toContain('Cancel After you cancel');
    expect(text).not.toMatch(/Change Plan|Switch Plan/);
    expect(await read(`${PAGE}?cancel=1`)).toContain('Keep Subscription');
    expect(await read(`${PAGE}?change=1`)).not.toContain('Keep my plan');
  });
});

it('without Stripe’s variables the plans are shown, and the buttons say that payment is not set up', async () => {
  await enter('beta', {});
  expect(await read(PAGE)).toMatch(/£9\.99 per month .* Upgrade Now Payment is not set up here\./);
  expect(await read(`${PAGE}?tab=tokens`)).toContain('Purchase Selected Package Payment is not set up here');
  expect((await site.get('/dashboard?buy=tokens-50', token)).leadsTo).toBe('/dashboard');
  expect((await site.post(PAGE, token, { intent: 'start-tokens', packageId: 'tokens-50' })).html).toContain(
    'Payment is not set up here.',
  );
});

it('while the Stripe key cannot be used, the pages say that payment is not available', async () => {
  await enter('beta');
  const fault = { fault: 'key', reason: 'Stripe refuses STRIPE_SECRET_KEY.', now: Date.now() } as const;
  await recordFault(fixture.db, fault);
  const text = await read(PAGE);
  expect(text).toMatch(/Payment is not available at the moment, so nothing can be bought/);
  expect(text).toMatch(/Upgrade Now Payment is not available at the moment\./);
  expect(await read(`${PAGE}?tab=tokens`)).toContain('Payment is not available at the moment, so');
});

it('admins are sent to their dashboard', async () => {
  await enter('admin');
  expect((await site.get(PAGE, token)).leadsTo).toBe('/dashboard');
});
