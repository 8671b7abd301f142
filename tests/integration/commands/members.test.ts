import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSession } from '#shared/accounts/sessions';
import { toIso } from '#shared/clock';
import { enqueueHousekeeping } from '#shared/queues/enqueue';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { addMember } from '../member-alerts/crowd';
import { eventually } from '../monitor/monitor-fixture';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

it('members -- bounces lists and clears the addresses that the mail server refuses', () =>
  suite.run(async ({ fixture, runTool }) => {
    const members = (...args: string[]) => runTool('members', ...args);
    const json = async (...args: string[]) => JSON.parse((await members(...args, '--json')).stdout);
    expect((await members('bounces', 'list')).stdout).toBe('No address has bounced.\n');
    for (const name of ['ann', 'bea', 'cat'])
      await addMember(fixture, name, { bounced: true, browsers: 0, pro: false });
    await fixture.db
      .updateTable('users')
      .set({ mail_bounce_reason: 'the mail server refused the address with 550' })
      .where('email', '=', 'ann@example.test')
      .execute();
    const { stdout } = await members('bounces', 'list');
    expect(stdout).toMatch(
      /ann@example\.test +\d+ \w+ \d{4}, \S+ \S+ +the mail server refused the address with 550/,
    );

    for (const [args, fault] of [
      [['bounces'], 'Use:'],
      [['bounces', 'clear'], 'The email address is missing.'],
      [['bounces', 'clear', 'ann@example.test', '--all'], 'not both'],
      [['bounces', 'list', '--all'], 'Use:'],
      [['bounces', 'forget'], 'There is no command bounces forget.'],
      [['constructor'], 'There is no command constructor.'],
    ] as const) {
      const refused = await members(...args);
      expect([refused.code, refused.stderr.includes(fault)], args.join(' ')).toEqual([2, true]);
    }
    expect(await json('bounces', 'clear', 'nobody@example.test')).toMatchObject({ success: false });
    expect(await json('bounces', 'clear', 'ann@example.test')).toMatchObject({
      cleared: ['ann@example.test'],
    });
    expect(await json('bounces', 'clear', 'ann@example.test')).toMatchObject({ success: true, cleared: [] });
    expect(await members('bounces', 'clear', '--all')).toMatchObject({
      code: 0,
      stdout: 'Cleared the bounces of 2 addresses.\n',
    });
    expect(await json('bounces', 'list')).toEqual({ success: true, bounces: [] });
    const audit = await fixture.db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('action', '=', 'mail_bounces.clear')
      .execute();
    expect(audit).toEqual([
      { action: 'mail_bounces.clear', details: '{"count":1}' },
      { action: 'mail_bounces.clear', details: '{"count":2}' },
    ]);
  }, []));

it('members -- show, export and delete refuse what names no account, and change nothing', () =>
  suite.run(async ({ fixture, runTool }) => {
    const members = (...args: string[]) => runTool('members', ...args);
    const readAudit = () =>
      fixture.db
        .selectFrom('audit_log')
        .select(['action', 'subject'])
        .where('action', 'like', 'account.%')
        .execute();
    const ann = await addMember(fixture, 'ann', { browsers: 0 });
    await addMember(fixture, 'ann.b', { browsers: 0 });
    for (const command of ['show', 'export', 'delete']) {
      for (const [args, fault] of [
        [[], 'The email address is missing.'],
        [['ann'], 'is not an email address.'],
        [['ann@example.test', 'ann.b@example.test'], 'Use:'],
        [['ann@example.test', '--all'], 'Use:'],
      ] as const) {
        const refused = await members(command, ...args);
        expect([refused.code, refused.stderr.includes(fault)], `${command} ${args.join(' ')}`).toEqual([
          2,
          true,
        ]);
      }
      const unknown = await members(command, 'an@example.test', '--json');
      expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([
        1,
        { success: false, code: 'account_not_found' },
      ]);
    }
    // Without mail the member would not get the link.
    const mailless = await members('export', 'ann@example.test', '--json');
    expect([mailless.code, JSON.parse(mailless.stdout).success]).toEqual([1, false]);
    expect(await fixture.db.selectFrom('data_exports').select('id').execute()).toEqual([]);
    expect(await readAudit()).toEqual([]);

    const shown = await members('show', ' Ann@Example.Test ');
    expect(shown.stdout).toMatch(/^email +ann@example\.test$/m);
    expect(shown.stdout).toMatch(/^plan +pro$/m);
    const { account } = JSON.parse((await members('show', 'ann@example.test', '--json')).stdout);
    expect(account).toMatchObject({ id: ann, email: 'ann@example.test' });
    expect(await readAudit()).toEqual([
      { action: 'account.show', subject: ann },
      { action: 'account.show', subject: ann },
    ]);
  }, []));

it('members -- export and delete wait for the daemon, which mails the member', () =>
  suite.run(
    async ({ fixture, runTool, startDaemon }) => {
      const { db, sandbox } = fixture;
      const json = async (...args: string[]) =>
        JSON.parse((await runTool('members', ...args, '--json')).stdout);
      const ann = await addMember(fixture, 'ann', { pro: false });
      const bea = await addMember(fixture, 'bea', { pro: false });
      await createSession(db, { accountId: bea, userAgent: null, clock: fixture.clock });
      expect(await json('export', 'ann@example.test')).toMatchObject({ success: true, isNew: true });
      expect(await json('export', 'ann@example.test')).toMatchObject({ success: true, isNew: false });
      expect(await json('delete', 'bea@example.test')).toMatchObject({
        success: true,
        email: 'bea@example.test',
        unusedDays: 0,
        isSubscriptionEnded: true,
      });
      // Signed out at once, without a daemon.
      expect(await db.selectFrom('sessions').select('id').execute()).toEqual([]);
      expect(sandbox.mails.receipts()).toEqual([]);
      await startDaemon();
      await eventually(() =>
        expect(
          sandbox.mails
            .receipts()
            .map(({ to }) => to)
            .sort(),
        ).toEqual(['ann@example.test', 'bea@example.test']),
      );
      expect(await json('show', 'bea@example.test')).toMatchObject({
        account: { deleteAfter: expect.any(String) },
      });
      // Seven days pass.
      await db
        .updateTable('users')
        .set({ delete_after: toIso(Date.now()) })
        .where('id', '=', bea)
        .execute();
      await enqueueHousekeeping(fixture.queues, 'deletions');
      await eventually(async () =>
        expect(await json('show', 'bea@example.test')).toMatchObject({ code: 'account_not_found' }),
      );
      const audit = await db
        .selectFrom('audit_log')
        .select('action')
        .where('subject', 'in', [ann, bea])
        .where('action', '!=', 'account.show')
        .orderBy('created_at')
        .execute();
      expect(audit.map(({ action }) => action)).toEqual([
        'account.request_export',
        'account.request_deletion',
        'account.delete',
      ]);
    },
    [],
    ({ smtpUrl }) => ({ SMTP_URL: smtpUrl, MAIL_FROM: 'Packwatch <hello@packwatch.test>' }),
  ));
