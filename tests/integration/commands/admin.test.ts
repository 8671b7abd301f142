import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSession, findViewer } from '#shared/accounts/sessions';
import { MINUTE, systemClock } from '#shared/clock';
import { addBetaMember } from '../../paid-accounts';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

it(
  'disables, enables and signs accounts out, and says who granted the role of each admin',
  () =>
    suite.run(async ({ fixture: { db }, runTool }) => {
      const admin = (...args: string[]) => runTool('admin', ...args);
      const email = 'ash@packwatch.test';
      const accountId = await addBetaMember(db, { email });
      const signIn = () => createSession(db, { accountId, userAgent: null, clock: systemClock });
      const isSignedIn = async ({ token }: { token: string }) =>
        (await findViewer(db, { token, clock: systemClock })) !== null;

      const first = await signIn();
      expect(await admin('disable', email)).toEqual({
        code: 0,
        stdout: `${email} is disabled: it cannot sign in, gets no alerts, and one session ended.\n`,
        stderr: '',
      });
      expect(await isSignedIn(first)).toBe(false);
      expect((await admin('disable', email)).stdout).toBe(`${email} is already disabled.\n`);
      expect(JSON.parse((await admin('enable', email, '--json')).stdout)).toMatchObject({
        success: true,
        changed: true,
      });
      expect((await admin('enable', email)).stdout).toBe(`${email} is not disabled.\n`);
      const second = await signIn();
      expect((await admin('sign-out', email)).stdout).toContain('one session ended');
      expect(await isSignedIn(second)).toBe(false);

      expect((await admin('grant', email)).code).toBe(0);
      expect((await admin('disable', email)).stderr).toContain('This is the last admin');
      await db
        .insertInto('users')
        .values({
          id: 'boss',
          email: 'boss@packwatch.test',
          username: 'Boss',
          role: 'admin',
          admin_granted_by: 'environment',
          created_at: 't',
          updated_at: 't',
        })
        .execute();
      const { stdout } = await admin('list');
      expect(stdout).toMatch(/^ash@packwatch\.test .* npm run admin$/m);
      expect(stdout).toMatch(
        /^boss@packwatch\.test .* a list that no longer names it: ends at the next start/m,
      );
      expect((await admin('revoke', 'boss@packwatch.test')).code).toBe(0);
      expect((await admin('revoke', email)).stdout).toBe(
        `${email} is a member now. It was the last admin: there is none now.\n`,
      );
      for (const wrong of [['disable'], ['disable', 'ash'], ['enable', email, 'more'], ['list', email]])
        expect((await admin(...wrong)).code).toBe(2);
      const unknown = await admin('disable', 'nobody@packwatch.test');
      expect(unknown).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no account') as string,
      });
      const audit = await db
        .selectFrom('audit_log')
        .select('action')
        .where('subject', '=', accountId)
        .execute();
      expect(audit.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['account.disable', 'account.enable', 'account.sign_out', 'admin.grant']),
      );
    }),
  MINUTE,
);
