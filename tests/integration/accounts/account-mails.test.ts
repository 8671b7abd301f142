import { afterEach, describe, expect, it } from 'vitest';
import type { AccountsContext } from '#shared/accounts/accounts-context';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { registerWithPassword } from '#shared/accounts/passwords/register-with-password';
import { approveBeta, revokeBeta, requestBeta } from '#shared/beta/beta-operations';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { addMail, createMailOutbox } from '#shared/mail/mails';
import type { DueDelivery } from '#shared/queues/catalogue';
import { openKeyring } from '#shared/secrets.server';
import { createCheapPasswordHasher } from '../../cheap-passwords';
import { createAccountsFixture, EMAIL, NETWORK, PASSWORD, type AccountsFixture } from './accounts-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function inAccounts(): Promise<AccountsFixture> {
  const fixture = await createAccountsFixture();
  closing.push(fixture.cleanup);
  return fixture;
}

const onlyMail = (fixture: Pick<AccountsFixture, 'db'>) =>
  fixture.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();

describe('the approval mail', () => {
  async function withRequest() {
    const fixture = await inAccounts();
    const { id } = await fixture.member();
    await requestBeta(fixture.db, { accountId: id, clock: fixture.clock });
    const decision = { accountId: id, actor: { userId: null }, clock: fixture.clock };
    return { fixture, decision };
  }

  it('says that beta access is approved and links to the dashboard', async () => {
    const { fixture, decision } = await withRequest();
    const woken: string[] = [];
    const mail = {
      enabled: true,
      notifyQueue: (due: readonly { id: string }[]) => void woken.push(...due.map(({ id }) => id)),
    };
    await approveBeta(fixture.db, { ...decision, mail });
    expect(woken).toHaveLength(1);
    const [sent, ...more] = await fixture.sendDueMails();
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ to: EMAIL, subject: 'You are in the Packwatch beta' });
    expect(sent?.text).toContain('https://packwatch.test/dashboard');
  });

  it('is not sent when the access was revoked before', async () => {
    const { fixture, decision } = await withRequest();
    await approveBeta(fixture.db, { ...decision, mail: fixture.context.mail });
    await revokeBeta(fixture.db, decision);
    expect(await fixture.sendDueMails()).toEqual([]);
    const row = await fixture.db
      .selectFrom('mails')
      .select('status')
      .where('template', '=', 'beta_approved')
      .executeTakeFirst();
    expect(row).toEqual({ status: 'cancelled' });
  });

  it('is rolled back with the approval', async () => {
    const { fixture, decision } = await withRequest();
    const failed = fixture.db.transaction().execute(async (trx) => {
      await approveBeta(trx, { ...decision, mail: fixture.context.mail });
      throw new Error('the rest failed');
    });
    await expect(failed).rejects.toThrow('the rest failed');
    expect(await fixture.sendDueMails()).toEqual([]);
  });

  it('is not queued while mail is disabled', async () => {
    const { fixture, decision } = await withRequest();
    await approveBeta(fixture.db, { ...decision, mail: { ...fixture.context.mail, enabled: false } });
    expect(await fixture.sendDueMails()).toEqual([]);
  });
});

describe('a queued mail', () => {
  it('has the code in the subject, the preview, the text and the HTML', async () => {
    const fixture = await inAccounts();
    await fixture.register();
    const code = await fixture.readCode();
    const [mail] = fixture.mailbox;
    expect(mail?.subject).toBe(`${code} is your Packwatch code`);
    expect(mail?.text).toContain(`    ${code}\n`);
    expect(mail?.html).toContain(`>Your verification code is ${code}. It works once, for 10 minutes.</div>`);
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@packwatch\.test>$/);
  });

  it('is retried after growing delays, and the code stays valid', async () => {
    const fixture = await inAccounts();
    fixture.answers.push(
      { kind: 'retry', reason: 'the mail server answered 451' },
      { kind: 'retry', reason: 'again' },
    );
    await fixture.register();
    expect(await fixture.sendDueMails()).toEqual([]);
    expect(await onlyMail(fixture)).toMatchObject({ status: 'pending', attempts: 1 });
    expect((await onlyMail(fixture)).last_error).toBe('the mail server answered 451');
    expect(await fixture.sendDueMails()).toEqual([]);
    expect((await onlyMail(fixture)).attempts).toBe(1);
    fixture.clock.advance(3 * SECOND);
    await fixture.sendDueMails();
    fixture.clock.advance(5 * SECOND);
    expect(await fixture.readCode()).toMatch(/^\d{6}$/);
    expect(await onlyMail(fixture)).toMatchObject({ status: 'sent', attempts: 3, last_error: null });
  });

  it('fails at once when the server rejects it permanently', async () => {
    const fixture = await inAccounts();
    fixture.answers.push({
      kind: 'rejected',
      status: 550,
      reason: 'the mail server refused with 550',
    });
    await fixture.register();
    await fixture.sendDueMails();
    expect(await onlyMail(fixture)).toMatchObject({ status: 'dead', last_status: 550, sealed_code: null });
    fixture.clock.advance(MINUTE);
    expect(await fixture.sendDueMails()).toEqual([]);
  });

  it.each<[string, (fixture: AccountsFixture) => Promise<unknown>]>([
    [
      'that the server did not confirm',
      async (fixture: AccountsFixture) => void (await fixture.sendDueMails()),
    ],
    [
      'of a sender that died',
      async ({ db }: AccountsFixture) =>
        db
          .updateTable('mails')
          .set({ status: 'sending', claimed_by: 'dead', claimed_until: '2026-11-20T11:00:00.000Z' })
          .execute(),
    ],
  ])('%s is repeated once, with the same Message-ID', async (_title, attempt) => {
    const fixture = await inAccounts();
    const unconfirmed = {
      kind: 'retry' as const,
      uncertain: true,
      reason: 'the mail server did not confirm the mail',
    };
    await fixture.register();
    fixture.answers.push(unconfirmed);
    await attempt(fixture);
    fixture.answers.splice(0, 1, unconfirmed);
    fixture.clock.advance(3 * SECOND);
    await fixture.sendDueMails();
    await attempt(fixture);
    fixture.clock.advance(MINUTE);
    expect(await fixture.sendDueMails()).toEqual([]);
    const { status, last_error } = await onlyMail(fixture);
    expect(status).toBe('dead');
    expect(last_error).toContain('it was sent twice without an answer, so it is not sent again');
    expect(fixture.attempted.length).toBeLessThanOrEqual(2);
    expect(new Set(fixture.attempted.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('expires with its code; a notice expires after an hour', async () => {
    const fixture = await inAccounts();
    const keepRefusing = async (until: number) => {
      while (fixture.clock.now() < until) {
        fixture.answers.push({ kind: 'retry', reason: 'not now' });
        await fixture.sendDueMails();
        fixture.clock.advance(30 * SECOND);
      }
    };
    const began = fixture.clock.now();
    await fixture.register();
    await keepRefusing(began + 5 * MINUTE);
    expect((await onlyMail(fixture)).status).toBe('pending');
    await keepRefusing(began + 11 * MINUTE);
    expect(await onlyMail(fixture)).toMatchObject({
      status: 'expired',
      last_error: 'not now',
      sealed_code: null,
    });

    fixture.answers.length = 0;
    await fixture.db.deleteFrom('mails').execute();
    await fixture.db
      .updateTable('users')
      .set({ email_verified_at: 'x', password_registration_id: null })
      .execute();
    const noticed = fixture.clock.now();
    await fixture.register();
    await keepRefusing(noticed + 55 * MINUTE);
    expect(await onlyMail(fixture)).toMatchObject({ template: 'already_registered', status: 'pending' });
    await keepRefusing(noticed + HOUR + MINUTE);
    expect((await onlyMail(fixture)).status).toBe('expired');
  });

  it('is cancelled when a newer code replaces its code', async () => {
    const fixture = await inAccounts();
    await fixture.register();
    fixture.clock.advance(30 * SECOND);
    await resendCode(fixture.context, { email: EMAIL, browserKey: null, network: NETWORK });
    expect(await fixture.sendDueMails()).toHaveLength(1);
    const rows = await fixture.db
      .selectFrom('mails')
      .select(['status', 'sealed_code'])
      .orderBy('created_at')
      .execute();
    expect(rows).toEqual([
      { status: 'cancelled', sealed_code: null },
      { status: 'sent', sealed_code: null },
    ]);
  });
});

describe('the daemon', () => {
  async function inDaemon(): Promise<{ fixture: MonitorFixture; context: AccountsContext }> {
    const fixture = await createMonitorFixture({
      environment: (sandbox) => ({ SMTP_URL: sandbox.smtpUrl, SESSION_SECRET: 'a secret of the tests' }),
    });
    closing.push(fixture.cleanup);
    const { db, clock, queues, config } = fixture;
    const context: AccountsContext = {
      db,
      clock,
      keyring: openKeyring(config),
      passwords: createCheapPasswordHasher(),
      mail: createMailOutbox({ enabled: true, queues, clock }),
      config,
    };
    return { fixture, context };
  }
  const register = (context: AccountsContext, email = EMAIL) =>
    registerWithPassword(context, { email, password: PASSWORD, browserKey: null, network: NETWORK });

  it('sends queued mails over SMTP, and stores no code or address in Redis', async () => {
    const { fixture, context } = await inDaemon();
    await eventually(() => expect(fixture.queues.isReady()).toBe(true));
    await register(context);
    const [job] = await eventually(async () => {
      const jobs = await (await fixture.queues.open('mail')).getWaiting();
      expect(jobs).toHaveLength(1);
      return jobs;
    });
    const row = await onlyMail(fixture);
    expect(job?.data).toEqual({ id: row.id, attempt: 1 });
    await fixture.startDaemon();
    const [mail] = await eventually(() => {
      expect(fixture.sandbox.mails.list()).toHaveLength(1);
      return fixture.sandbox.mails.list();
    });
    expect(mail).toMatchObject({ to: EMAIL, from: 'Packwatch <no-reply@packwatch.test>' });
    expect(mail?.subject).toMatch(/^\d{6} is your Packwatch code$/);
    expect(mail?.text).toContain('It works once');
    expect(mail?.html).toContain('<!DOCTYPE html>');
    expect(mail?.headers['auto-submitted']).toBe('auto-generated');
  });

  it('sends a mail without a job in Redis once', async () => {
    const { fixture, context } = await inDaemon();
    await fixture.startDaemon();
    await register({ ...context, mail: { enabled: true, notifyQueue: () => undefined } });
    await eventually(() => expect(fixture.sandbox.mails.list()).toHaveLength(1));
    await eventually(async () => expect((await onlyMail(fixture)).status).toBe('sent'));
    expect(fixture.sandbox.mails.list()).toHaveLength(1);
  });

  it('sends a code at once while hundreds of other mails wait for slow answers', async () => {
    const { fixture, context } = await inDaemon();
    const { db, clock, sandbox } = fixture;
    const now = clock.now();
    const expiresAt = now + HOUR;
    const due = await inTransaction(db, async (trx) => {
      const added: DueDelivery[] = [];
      for (let number = 0; number < 300; number += 1) {
        const to = `reader-${number}@example.test`;
        added.push(await addMail(trx, { to, template: 'already_registered', expiresAt }, now));
      }
      return added;
    });
    sandbox.mails.setFaults([{ to: 'reader-*', delayMs: HOUR, persistent: true }]);
    context.mail.notifyQueue(due);
    await fixture.startDaemon({ sendsMayFinishMs: 100 });
    await eventually(() => expect(sandbox.mails.waiting()).toBe(5));
    await register(context);
    // The slow answers would take ten minutes.
    await eventually(() => expect(sandbox.mails.list()).toHaveLength(1));
    expect(sandbox.mails.list()[0]?.to).toBe(EMAIL);
  });

  it('retries after a 451 and gives up after a 550', async () => {
    const { fixture, context } = await inDaemon();
    fixture.sandbox.mails.setFaults([{ code: 451 }]);
    await fixture.startDaemon();
    await register(context);
    await eventually(async () =>
      expect(await onlyMail(fixture)).toMatchObject({ last_error: 'the mail server answered 451' }),
    );
    fixture.clock.advance(3 * SECOND);
    await eventually(() => expect(fixture.sandbox.mails.list()).toHaveLength(1));

    fixture.sandbox.mails.setFaults([{ code: 550, persistent: true }]);
    await register(context, 'bob@example.org');
    await eventually(async () => {
      const row = await fixture.db
        .selectFrom('mails')
        .selectAll()
        .where('recipient', '=', 'bob@example.org')
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ status: 'dead', last_status: 550, attempts: 1, sealed_code: null });
    });
  });

  it('sends the mails that a dead daemon had claimed', async () => {
    const { fixture, context } = await inDaemon();
    await register(context);
    await fixture.db
      .updateTable('mails')
      .set({
        status: 'sending',
        claimed_by: 'a dead daemon',
        claimed_until: new Date(fixture.clock.now()).toISOString(),
      })
      .execute();
    await fixture.startDaemon();
    await eventually(() => expect(fixture.sandbox.mails.list()).toHaveLength(1));
  });
});
