import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disableAccount, enableAccount } from '#shared/accounts/account-status.server';
import { loginWithPassword } from '#shared/accounts/passwords/login-with-password';
import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { disabledAccountTasks } from '#shared/billing/disabled-accounts.server';
import { DAY, HOUR, toIso } from '#shared/clock';
import { keepAccountUrl } from '#shared/mail/account-deletion-mail';
import { finishDeletions } from '#shared/personal-data/finish-deletions.server';
import {
  findDeletion,
  keepAccount,
  readUnusedDays,
  requestDeletion,
} from '#shared/personal-data/request-deletion.server';
import { findCustomer } from '#shared/payments/customers.server';
import { createKeyring } from '#shared/secrets.server';
import { startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { syncPurchase } from '#shared/tokens/sync-purchase.server';
import {
  createAccountsFixture,
  discordProfile,
  EMAIL,
  NETWORK,
  PASSWORD,
  type AccountsFixture,
} from '../accounts/accounts-fixture';
import { createSubscriptionsFixture, type SubscriptionsFixture } from '../payments/subscriptions-fixture';

const OWN = (id: string) => ({ accountId: id, actor: { userId: id } });

describe('an account without payments', () => {
  let fixture: AccountsFixture;
  beforeEach(async () => {
    fixture = await createAccountsFixture();
  });
  afterEach(() => fixture.cleanup());

  const payments = () => ({ ...fixture.context, appUrl: 'https://packwatch.test', stripe: null });
  const request = (id: string, actor: { userId: string | null } = { userId: id }) =>
    requestDeletion({ ...fixture.context, payments: payments() }, { accountId: id, actor });
  const finish = () => finishDeletions({ db: fixture.db, payments: payments(), keyring: fixture.keyring });
  const read = (id: string) =>
    fixture.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const login = () =>
    loginWithPassword(fixture.context, {
      email: EMAIL,
      password: PASSWORD,
      browserKey: null,
      network: NETWORK,
      userAgent: null,
    });
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';
  const keep = (token: string) =>
    keepAccount(fixture.db, { keyring: fixture.keyring, token, clock: fixture.clock });

  test('is signed out at once and cannot sign in for seven days, in which a mailed link takes it back', async () => {
    const ann = await fixture.member();
    await login();
    const { deleteAfter, isSubscriptionEnded } = await request(ann.id);
    expect(deleteAfter).toBe(toIso(fixture.clock.now() + 7 * DAY));
    expect(isSubscriptionEnded).toBe(true);
    expect(await fixture.db.selectFrom('sessions').select('id').execute()).toEqual([]);
    await expect(login()).rejects.toMatchObject({ code: 'account_closing' });
    await expect(
      signInWithDiscord(fixture.context, { profile: discordProfile(), browserKey: null, userAgent: null }),
    ).rejects.toMatchObject({ code: 'account_closing' });

    const mails = await fixture.sendDueMails();
    const mail = mails.at(-1);
    expect(mail).toMatchObject({ to: EMAIL, subject: 'Your Packwatch account will be deleted' });
    const [url = ''] = /https:\S+keep-account\S+/.exec(mail?.text ?? '') ?? [];
    expect(url).not.toContain(ann.id);

    fixture.clock.advance(7 * DAY - HOUR);
    expect(await finish()).toMatchObject({ deleted: [] });
    expect(await findDeletion(fixture.db, { keyring: fixture.keyring, token: tokenOf(url) })).toBe(
      deleteAfter,
    );
    await keep(tokenOf(url));
    await keep(tokenOf(url));
    expect(await read(ann.id)).toMatchObject({ disabled_at: null, delete_after: null, email: EMAIL });
    await login();
    fixture.clock.advance(2 * DAY);
    expect(await finish()).toMatchObject({ deleted: [] });
    await expect(keep('nonsense')).rejects.toMatchObject({ code: 'keep_account_token_unknown' });
  });

  test('is deleted after seven days: then the address and the Discord account may begin anew', async () => {
    const ann = await fixture.member();
    await signInWithDiscord(fixture.context, {
      profile: discordProfile(),
      browserKey: null,
      userAgent: null,
    });
    const { requestedAt } = await request(ann.id);
    const same = await request(ann.id);
    expect(same.requestedAt).toBe(requestedAt);
    const token = tokenOf(
      keepAccountUrl(
        { keyring: fixture.keyring, appUrl: 'https://x.test' },
        { accountId: ann.id, requestedAt },
      ),
    );
    fixture.clock.advance(7 * DAY);
    // Two daemons at once.
    const reports = await Promise.all([finish(), finish()]);
    expect(reports.reduce((sum, { deleted }) => sum + deleted.length, 0)).toBe(1);
    expect(await read(ann.id)).toMatchObject({
      email: `deleted ${ann.id}`,
      username: 'Deleted account',
      discord_id: null,
      password_hash: null,
      deleted_at: toIso(fixture.clock.now()),
    });
    await keep(token);
    expect((await read(ann.id)).deleted_at).not.toBeNull();
    await expect(request(ann.id)).rejects.toMatchObject({ code: 'account_deleted' });
    await expect(
      enableAccount(fixture.db, { accountId: ann.id, actor: { userId: null }, clock: fixture.clock }),
    ).rejects.toMatchObject({ code: 'account_deleted' });

    await expect(login()).rejects.toMatchObject({ code: 'invalid_credentials' });
    const again = await fixture.member();
    expect(again.id).not.toBe(ann.id);
    const signedIn = await signInWithDiscord(fixture.context, {
      profile: discordProfile(),
      browserKey: null,
      userAgent: null,
    });
    expect(signedIn).toMatchObject({ kind: 'session', account: { id: again.id } });
  });

  test('the last admin cannot be deleted, and another one can', async () => {
    const ann = await fixture.member();
    await fixture.db.updateTable('users').set({ role: 'admin' }).execute();
    await expect(request(ann.id)).rejects.toMatchObject({ code: 'last_admin' });
    const ben = await fixture.member('ben@example.org');
    await fixture.db.updateTable('users').set({ role: 'admin' }).execute();
    await request(ben.id);
    await expect(request(ann.id)).rejects.toMatchObject({ code: 'last_admin' });
    fixture.clock.advance(8 * DAY);
    await finish();
    expect(await read(ben.id)).toMatchObject({ role: 'member' });
  });

  test('what an admin has disabled, before or since, stays disabled when the deletion is taken back', async () => {
    const ann = await fixture.member();
    const change = { accountId: ann.id, actor: { userId: null }, clock: fixture.clock };
    const linkOf = async () => {
      const { deletion_requested_at: requestedAt } = await read(ann.id);
      const facts = { accountId: ann.id, requestedAt: requestedAt ?? '' };
      return tokenOf(keepAccountUrl({ keyring: fixture.keyring, appUrl: 'https://x.test' }, facts));
    };
    await disableAccount(fixture.db, { ...change, payments: payments() });
    fixture.clock.advance(HOUR);
    await request(ann.id, { userId: null });
    await keep(await linkOf());
    expect((await read(ann.id)).disabled_at).not.toBeNull();
    await enableAccount(fixture.db, change);

    await request(ann.id);
    fixture.clock.advance(HOUR);
    expect(await disableAccount(fixture.db, { ...change, payments: payments() })).toMatchObject({
      changed: true,
    });
    await keep(await linkOf());
    await expect(login()).rejects.toMatchObject({ code: 'account_disabled' });

    // Enabling takes the deletion back, too.
    await enableAccount(fixture.db, change);
    await request(ann.id);
    await enableAccount(fixture.db, change);
    fixture.clock.advance(8 * DAY);
    expect(await finish()).toMatchObject({ deleted: [] });
    await login();
  });
});

describe('an account with payments', () => {
  let fixture: SubscriptionsFixture;
  beforeEach(async () => {
    fixture = await createSubscriptionsFixture();
  });
  afterEach(() => fixture.cleanup());

  const keyring = createKeyring(['a secret of the tests']);
  const deletionContext = () => ({ ...fixture.context, payments: fixture.context });
  const finish = () => finishDeletions({ db: fixture.db, payments: fixture.context, keyring });

  test('loses its subscription at once, with the unused days named, and its customer at Stripe at the end', async () => {
    const payer = await fixture.subscribe();
    const customer = (await findCustomer(fixture.db, { accountId: payer.id })) ?? '';
    fixture.advance(10 * DAY);
    const before = await readUnusedDays(fixture.db, {
      accountId: payer.id,
      now: fixture.context.clock.now(),
    });
    expect(before).toBe(20);
    const { unusedDays, isSubscriptionEnded } = await requestDeletion(deletionContext(), OWN(payer.id));
    expect({ unusedDays, isSubscriptionEnded }).toEqual({ unusedDays: 20, isSubscriptionEnded: true });
    expect((await fixture.atStripe()).map(({ status }) => status)).toEqual(['canceled']);
    expect((await fixture.view(payer)).tier).toBe('free');
    // Nothing is refunded: that is the admin's choice.
    expect((await fixture.client.refunds.list()).data).toEqual([]);

    fixture.advance(7 * DAY + HOUR);
    expect(await finish()).toMatchObject({ deleted: [payer.id], waiting: [], faults: [] });
    expect(await fixture.client.customers.retrieve(customer)).toMatchObject({ deleted: true });
    const rows = await fixture.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('user_id', '=', payer.id)
      .execute();
    expect(rows).toMatchObject([{ status: 'canceled', cancel_reason: null }]);
    const mails = await fixture.db.selectFrom('mails').select('recipient').execute();
    expect(mails.filter(({ recipient }) => recipient === payer.email)).toEqual([]);
  });

  test('has its subscription ended by the minute job when Stripe does not answer, and waits for that', async () => {
    const payer = await fixture.subscribe();
    fixture.sandbox.stripe.setFaults([
      { kind: 'status', status: 503, persistent: true, path: '/v1/subscriptions/' },
    ]);
    const pending = await requestDeletion(deletionContext(), OWN(payer.id));
    fixture.sandbox.stripe.setFaults([]);
    expect(pending.isSubscriptionEnded).toBe(false);
    fixture.advance(7 * DAY + HOUR);
    expect(await finish()).toMatchObject({
      deleted: [],
      waiting: [{ accountId: payer.id, reason: 'a subscription has not ended' }],
    });
    for (const { run } of await disabledAccountTasks(fixture.context, undefined)) await run();
    expect(await finish()).toMatchObject({ deleted: [payer.id] });
  });

  test('waits while a purchase is open or disputed', async () => {
    const payer = await fixture.payer();
    const { purchaseId } = await startTokenPurchase(fixture.context, {
      account: payer,
      packageId: 'tokens-50',
    });
    await requestDeletion(deletionContext(), OWN(payer.id));
    fixture.advance(7 * DAY + HOUR);
    expect(await finish()).toMatchObject({
      deleted: [],
      waiting: [{ reason: 'a purchase is open or disputed' }],
    });
    const settle = (change: { status?: 'completed'; dispute_status: 'open' | 'lost' | null }) =>
      fixture.db.updateTable('token_purchases').set(change).where('id', '=', purchaseId).execute();
    await settle({ status: 'completed', dispute_status: 'open' });
    expect(await finish()).toMatchObject({ deleted: [] });
    await settle({ dispute_status: 'lost' });
    expect(await finish()).toMatchObject({ deleted: [payer.id] });

    // Stripe may tell of the payment later: the row changes, and no mail is written.
    const { stripe_payment_intent_id: intent } = await fixture.db
      .selectFrom('token_purchases')
      .select('stripe_payment_intent_id')
      .where('id', '=', purchaseId)
      .executeTakeFirstOrThrow();
    await syncPurchase(fixture.context, intent ?? '').catch(() => undefined);
    expect(await fixture.db.selectFrom('mails').select('id').execute()).toEqual([]);
  });
});
