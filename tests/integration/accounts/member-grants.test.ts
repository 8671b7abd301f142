import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, type Account } from '#shared/accounts/account';
import { listReceipts } from '#shared/billing/receipts';
import { DAY, MINUTE, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { paymentMailSchema } from '#shared/mail/payment-mails';
import { grantTokens } from '#shared/tokens/grant-tokens';
import { listWrongBalances, readBalance } from '#shared/tokens/token-ledger';
import { serverContext } from '~/http/server/context.server';
import * as memberPage from '~/routes/admin/members/member';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite, type RenderedPage } from '../rendered-site';
import { refusalOf } from './accounts-fixture';

const site = createRenderedSite({ '/dashboard/members/:id': memberPage });
let fixture: ApiFixture;
let admin: Account;
let token: string;
let member: Account;
let page: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  admin = await fixture.account('admin');
  token = await fixture.signIn(admin);
  member = await fixture.account('pro');
  page = `/dashboard/members/${member.id}`;
});
afterEach(() => fixture.cleanup());

/** The words of the page: these routes are rendered without the frame whose main part `text` is. */
const wordsOf = ({ html }: RenderedPage) =>
  html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const balance = () => readBalance(fixture.db, { accountId: member.id });

describe('tokens that an admin grants', () => {
  const grant = (changes: Partial<Parameters<typeof grantTokens>[1]> = {}) =>
    grantTokens(fixture.db, {
      accountId: member.id,
      tokens: 50,
      reason: 'For a lost alert',
      requestId: randomUUID(),
      actor: { userId: admin.id },
      clock: serverContext().clock,
      ...changes,
    });

  test('are a row of the ledger with a reason, by a form that is granted once however often it is sent', async () => {
    const asked = await site.get(`${page}?ask=grant`, token);
    const [, requestId = ''] = /name="requestId" value="([^"]+)"/.exec(asked.html) ?? [];
    const fields = { intent: 'grant', tokens: '50', reason: ' For a lost  alert ', requestId };
    const answers = await Promise.all([1, 2, 3].map(() => site.post(page, token, fields)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 303, leadsTo: page });
    expect(await balance()).toBe(50);
    const shown = wordsOf(await site.get(page, token));
    expect(shown).toContain('By an admin +50');
    expect(shown).toContain(': For a lost alert');
    expect(shown).toContain('Tokens granted or taken back by admin');
    expect(wordsOf(await site.post(page, token, { ...fields, tokens: '60' }))).toContain(
      'This form has already been sent with another number or reason.',
    );
    expect(await balance()).toBe(50);
    const audit = await fixture.db
      .selectFrom('audit_log')
      .select(['actor_id', 'details'])
      .where('action', '=', 'tokens.grant')
      .execute();
    expect(audit).toEqual([{ actor_id: admin.id, details: '{"tokens":50}' }]);
    expect(await listWrongBalances(fixture.db)).toEqual([]);
  });

  test.each([
    ['no number', { tokens: 'many', reason: 'x' }, 'whole number of tokens'],
    ['nothing', { tokens: '', reason: 'x' }, 'whole number of tokens'],
    ['none', { tokens: '0', reason: 'x' }, 'whole number of tokens'],
    ['half a token', { tokens: '1.5', reason: 'x' }, 'whole number of tokens'],
    ['too many', { tokens: '1001', reason: 'x' }, 'whole number of tokens'],
    ['no reason', { tokens: '5', reason: ' \u200b ' }, 'Please enter a reason.'],
    ['too long a reason', { tokens: '5', reason: 'x'.repeat(201) }, 'at most 200 characters'],
    ['no id of the request', { tokens: '5', reason: 'x', requestId: 'mine' }, 'reload the page'],
  ])('are refused: %s', async (_, fields, sentence) => {
    const answer = await site.post(`${page}?ask=grant`, token, {
      intent: 'grant',
      requestId: randomUUID(),
      ...fields,
    });
    expect(wordsOf(answer)).toContain(sentence);
    expect(await balance()).toBe(0);
  });

  test('are taken back at most down to zero, and never from the admin’s own or an unconfirmed account', async () => {
    await grant({ tokens: 20 });
    expect(await grant({ tokens: -15 })).toMatchObject({ balance: 5 });
    expect((await refusalOf(grant({ tokens: -6 }))).code).toBe('balance_too_low');
    expect(await balance()).toBe(5);
    expect((await refusalOf(grant({ accountId: admin.id }))).code).toBe('own_account');
    expect((await refusalOf(grant({ accountId: 'nobody' }))).code).toBe('unknown_user');
    const half = await inTransaction(fixture.db, (trx) =>
      createAccount(trx, { email: 'half@mail.example', username: 'Half' }, Date.now()),
    );
    expect((await refusalOf(grant({ accountId: half.id }))).code).toBe('account_unconfirmed');
    const other = randomUUID();
    await grant({ requestId: other });
    const stranger = await fixture.account('member');
    expect((await refusalOf(grant({ requestId: other, accountId: stranger.id }))).code).toBe('request_used');
  });

  test('never make a balance wrong when many are granted and taken back at once', async () => {
    await grant({ tokens: 10 });
    const back = await Promise.allSettled(Array.from({ length: 8 }, () => grant({ tokens: -3 })));
    expect(back.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await balance()).toBe(1);
    expect(await listWrongBalances(fixture.db)).toEqual([]);
  });

  test('cannot leave a balance below zero, as the database sees it', async () => {
    const row = {
      id: 'x',
      user_id: member.id,
      seq: 1,
      previous_seq: null,
      kind: 'grant' as const,
      tokens: -1,
      balance_before: 0,
      balance_after: -1,
      task_id: null,
      purchase_id: null,
      source_id: 'grant:x',
      created_at: toIso(0),
    };
    await expect(fixture.db.insertInto('token_ledger').values(row).execute()).rejects.toThrow();
    const granted = { ...row, tokens: 1, balance_after: 1 };
    await fixture.db.insertInto('token_ledger').values(granted).execute();
    await expect(fixture.db.deleteFrom('token_ledger').execute()).rejects.toThrow('append-only');
    await expect(fixture.db.updateTable('token_ledger').set({ tokens: 2 }).execute()).rejects.toThrow();
    const twice = { ...granted, id: 'y', seq: 2, previous_seq: 1, balance_before: 1, balance_after: 2 };
    await expect(fixture.db.insertInto('token_ledger').values(twice).execute()).rejects.toThrow();
  });
});

describe('a receipt', () => {
  async function buy(): Promise<string> {
    const tokens = await fixture.db.selectFrom('token_packages').selectAll().executeTakeFirstOrThrow();
    const paid = toIso(Date.now() - DAY);
    const values = {
      id: randomUUID(),
      user_id: member.id,
      package_id: tokens.id,
      package_name: tokens.name,
      token_count: tokens.token_count,
      amount_pence: tokens.price_pence,
      status: 'completed' as const,
      completed_at: paid,
      created_at: paid,
      updated_at: paid,
    };
    await fixture.db.insertInto('token_purchases').values(values).execute();
    return values.id;
  }

  async function pay(id: string, at: number, changes: object = {}): Promise<void> {
    const subscription = await fixture.db
      .selectFrom('subscriptions')
      .select('id')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow();
    const stamp = toIso(at);
    await fixture.db
      .insertInto('subscription_invoices')
      .values({
        id,
        subscription_id: subscription.id,
        status: 'paid',
        billing_reason: 'subscription_cycle',
        amount_due_pence: 999,
        amount_paid_pence: 999,
        attempt_count: 1,
        paid_at: stamp,
        created_at: stamp,
        updated_at: stamp,
        ...changes,
      })
      .execute();
  }

  const mails = async () =>
    (
      await fixture.db
        .selectFrom('mails')
        .select(['recipient', 'data'])
        .where('data', 'is not', null)
        .execute()
    ).map(({ recipient, data }) => [recipient, paymentMailSchema.parse(JSON.parse(data ?? ''))]);

  test('of tokens and of the newest payment of a plan is sent again, to the account’s address alone', async () => {
    const now = Date.now();
    const purchase = await buy();
    await pay('in_old', now - 40 * DAY);
    await pay('in_new', now - 10 * MINUTE);
    const receipts = await listReceipts(fixture.db, { accountId: member.id });
    expect(receipts.map(({ id }) => id)).toEqual(['in_new', purchase]);
    expect(wordsOf(await site.get(`${page}?ask=receipt&of=in_new`, token))).toContain(
      `The receipt for Pro Monthly, £9.99, goes to ${member.email}.`,
    );
    for (const receiptId of ['in_new', purchase])
      expect(await site.post(page, token, { intent: 'receipt', receiptId })).toMatchObject({ status: 303 });
    expect(await mails()).toEqual([
      [
        member.email,
        expect.objectContaining({ template: 'subscription_paid', reason: 'renewal', amountPence: 999 }),
      ],
      [member.email, expect.objectContaining({ template: 'tokens_bought' })],
    ]);
    const again = await site.post(page, token, { intent: 'receipt', receiptId: purchase });
    expect(wordsOf(again)).toContain('This receipt was sent within the last minute.');
    expect(wordsOf(await site.get(page, token))).toContain('Receipt sent again by admin');
  });

  test('of an unpaid or another account’s payment does not exist', async () => {
    const purchase = await buy();
    await pay('in_open', Date.now(), { status: 'open', paid_at: null });
    const other = await fixture.account('member');
    for (const [of, receiptId] of [
      [member.id, 'in_open'],
      [member.id, 'nothing'],
      [other.id, purchase],
    ]) {
      const answer = await site.post(`/dashboard/members/${of}`, token, {
        intent: 'receipt',
        receiptId: receiptId ?? '',
      });
      expect(wordsOf(answer)).toContain('This account has no such receipt.');
    }
    expect(await mails()).toEqual([]);
  });
});
