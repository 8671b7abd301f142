import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { addMember } from '../member-alerts/crowd';

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
