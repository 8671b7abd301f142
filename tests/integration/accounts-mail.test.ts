import { afterEach, describe, expect, it } from 'vitest';
import type { AccountsContext } from '#shared/accounts/accounts-context';
import { createPasswordHasher } from '#shared/accounts/passwords/password-hasher.server';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { registerWithPassword } from '#shared/accounts/passwords/register-with-password';
import { approveBeta, revokeBeta } from '#shared/beta/decide-beta';
import { requestBeta } from '#shared/beta/request-beta';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { createMailOutbox } from '#shared/mail/mails';
import { openKeyring } from '#shared/secrets.server';
import { createAccountsWorld, EMAIL, NETWORK, PASSWORD, type AccountsWorld } from './accounts-world';
import { createWorld, eventually, type World } from './monitor-world';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function inAccounts(): Promise<AccountsWorld> {
  const world = await createAccountsWorld();
  closing.push(world.cleanup);
  return world;
}

const onlyMail = (world: Pick<AccountsWorld, 'db'>) =>
  world.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();

describe('the mail about an approval', () => {
  async function withRequest() {
    const world = await inAccounts();
    const { id } = await world.member();
    await requestBeta(world.db, { accountId: id, clock: world.clock });
    const decision = { accountId: id, actor: { userId: null }, clock: world.clock };
    return { world, decision };
  }

  it('says that beta access is approved and leads to the dashboard', async () => {
    const { world, decision } = await withRequest();
    const woken: string[] = [];
    const mail = {
      enabled: true,
      notifyQueue: (due: readonly { id: string }[]) => void woken.push(...due.map(({ id }) => id)),
    };
    await approveBeta(world.db, { ...decision, mail });
    expect(woken).toHaveLength(1);
    const [sent, ...more] = await world.post();
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ to: EMAIL, subject: 'You are in the Packwatch beta' });
    expect(sent?.text).toContain('https://packwatch.test/dashboard');
  });

  it('does not leave when the access was revoked before', async () => {
    const { world, decision } = await withRequest();
    await approveBeta(world.db, { ...decision, mail: world.context.mail });
    await revokeBeta(world.db, decision);
    expect(await world.post()).toEqual([]);
    const row = await world.db
      .selectFrom('mails')
      .select('status')
      .where('template', '=', 'beta_approved')
      .executeTakeFirst();
    expect(row).toEqual({ status: 'cancelled' });
  });

  it('is rolled back with the approval that it tells of', async () => {
    const { world, decision } = await withRequest();
    const failed = world.db.transaction().execute(async (trx) => {
      await approveBeta(trx, { ...decision, mail: world.context.mail });
      throw new Error('the rest failed');
    });
    await expect(failed).rejects.toThrow('the rest failed');
    expect(await world.post()).toEqual([]);
  });

  it('is not written while mail is switched off', async () => {
    const { world, decision } = await withRequest();
    await approveBeta(world.db, { ...decision, mail: { ...world.context.mail, enabled: false } });
    expect(await world.post()).toEqual([]);
  });
});

describe('a mail that waits in the outbox', () => {
  it('carries the code in the subject, the preview, the text and the HTML', async () => {
    const world = await inAccounts();
    await world.register();
    const code = await world.readCode();
    const [mail] = world.mailbox;
    expect(mail?.subject).toBe(`${code} is your Packwatch code`);
    expect(mail?.text).toContain(`    ${code}\n`);
    expect(mail?.html).toContain(`>Your verification code is ${code}. It works once, for 10 minutes.</div>`);
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@packwatch\.test>$/);
  });

  it('is tried again, later each time, and the code stays good', async () => {
    const world = await inAccounts();
    world.answers.push(
      { is: 'retry', reason: 'the mail server answered 451' },
      { is: 'retry', reason: 'again' },
    );
    await world.register();
    expect(await world.post()).toEqual([]);
    expect(await onlyMail(world)).toMatchObject({ status: 'pending', attempts: 1 });
    expect((await onlyMail(world)).last_error).toBe('the mail server answered 451');
    expect(await world.post()).toEqual([]);
    expect((await onlyMail(world)).attempts).toBe(1);
    world.clock.advance(3 * SECOND);
    await world.post();
    world.clock.advance(5 * SECOND);
    expect(await world.readCode()).toMatch(/^\d{6}$/);
    expect(await onlyMail(world)).toMatchObject({ status: 'sent', attempts: 3, last_error: null });
  });

  it('is dead at once when the server refuses for good', async () => {
    const world = await inAccounts();
    world.answers.push({ is: 'rejected', status: 550, reason: 'the mail server refused with 550' });
    await world.register();
    await world.post();
    expect(await onlyMail(world)).toMatchObject({ status: 'dead', last_status: 550, sealed_code: null });
    world.clock.advance(MINUTE);
    expect(await world.post()).toEqual([]);
  });

  it('is dead when its code has run out, a notice after an hour', async () => {
    const world = await inAccounts();
    const keepRefusing = async (until: number) => {
      while (world.clock.now() < until) {
        world.answers.push({ is: 'retry', reason: 'not now' });
        await world.post();
        world.clock.advance(30 * SECOND);
      }
    };
    const began = world.clock.now();
    await world.register();
    await keepRefusing(began + 5 * MINUTE);
    expect((await onlyMail(world)).status).toBe('pending');
    await keepRefusing(began + 11 * MINUTE);
    expect(await onlyMail(world)).toMatchObject({ status: 'dead', last_error: 'not now', sealed_code: null });

    world.answers.length = 0;
    await world.db.deleteFrom('mails').execute();
    await world.db
      .updateTable('users')
      .set({ email_verified_at: 'x', password_registration_id: null })
      .execute();
    const noticed = world.clock.now();
    await world.register();
    await keepRefusing(noticed + 55 * MINUTE);
    expect(await onlyMail(world)).toMatchObject({ template: 'already_registered', status: 'pending' });
    await keepRefusing(noticed + HOUR + MINUTE);
    expect((await onlyMail(world)).status).toBe('dead');
  });

  it('is called back when a newer code takes its place', async () => {
    const world = await inAccounts();
    await world.register();
    world.clock.advance(30 * SECOND);
    await resendCode(world.context, { email: EMAIL, browserKey: null, network: NETWORK });
    expect(await world.post()).toHaveLength(1);
    const rows = await world.db
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
  async function inDaemon(): Promise<{ world: World; context: AccountsContext }> {
    const world = await createWorld({
      environment: (sandbox) => ({ SMTP_URL: sandbox.smtpUrl, SESSION_SECRET: 'a secret of the tests' }),
    });
    closing.push(world.cleanup);
    const { db, clock, queues, config } = world;
    const context: AccountsContext = {
      db,
      clock,
      keyring: openKeyring(config),
      passwords: createPasswordHasher(),
      mail: createMailOutbox({ enabled: true, queues, clock }),
      config,
    };
    return { world, context };
  }
  const register = (context: AccountsContext, email = EMAIL) =>
    registerWithPassword(context, { email, password: PASSWORD, browserKey: null, network: NETWORK });

  it('sends over SMTP what a rule put into the outbox, and Redis never holds a code or an address', async () => {
    const { world, context } = await inDaemon();
    await eventually(() => expect(world.queues.isReady()).toBe(true));
    await register(context);
    const [job] = await eventually(async () => {
      const jobs = await world.queues.mail.getWaiting();
      expect(jobs).toHaveLength(1);
      return jobs;
    });
    const row = await onlyMail(world);
    expect(job?.data).toEqual({ mailId: row.id, attempt: 1 });
    await world.startDaemon();
    const [mail] = await eventually(() => {
      expect(world.sandbox.mails.list()).toHaveLength(1);
      return world.sandbox.mails.list();
    });
    expect(mail).toMatchObject({ to: EMAIL, from: 'Packwatch <no-reply@packwatch.test>' });
    expect(mail?.subject).toMatch(/^\d{6} is your Packwatch code$/);
    expect(mail?.text).toContain('It works once');
    expect(mail?.html).toContain('<!DOCTYPE html>');
    expect(mail?.headers['auto-submitted']).toBe('auto-generated');
  });

  it('sweeps up a mail that Redis never heard of, once', async () => {
    const { world, context } = await inDaemon();
    await world.startDaemon();
    await register({ ...context, mail: { enabled: true, notifyQueue: () => undefined } });
    await eventually(() => expect(world.sandbox.mails.list()).toHaveLength(1), 10_000);
    await eventually(async () => expect((await onlyMail(world)).status).toBe('sent'));
    expect(world.sandbox.mails.list()).toHaveLength(1);
  });

  it('tries again after a 451 and gives up after a 550', async () => {
    const { world, context } = await inDaemon();
    world.sandbox.mails.setFaults([{ code: 451 }]);
    await world.startDaemon();
    await register(context);
    await eventually(async () =>
      expect(await onlyMail(world)).toMatchObject({ last_error: 'the mail server answered 451' }),
    );
    world.clock.advance(3 * SECOND);
    await eventually(() => expect(world.sandbox.mails.list()).toHaveLength(1), 10_000);

    world.sandbox.mails.setFaults([{ code: 550, persistent: true }]);
    await register(context, 'bob@example.org');
    await eventually(async () => {
      const row = await world.db
        .selectFrom('mails')
        .selectAll()
        .where('recipient', '=', 'bob@example.org')
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ status: 'dead', last_status: 550, attempts: 1, sealed_code: null });
    }, 10_000);
  });

  it('takes over what a daemon that died was sending', async () => {
    const { world, context } = await inDaemon();
    await register(context);
    await world.db
      .updateTable('mails')
      .set({
        status: 'sending',
        claimed_by: 'a dead daemon',
        claimed_until: new Date(world.clock.now()).toISOString(),
      })
      .execute();
    await world.startDaemon();
    await eventually(() => expect(world.sandbox.mails.list()).toHaveLength(1), 10_000);
  });
});
