import { afterAll, beforeAll, expect, it } from 'vitest';
import { toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { requestRolesOf } from '#shared/roles/request-roles';
import { FIRST_ROLES } from '../../../sandbox/discord/guild';
import type { Sandbox } from '../../../sandbox/start-sandbox';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

const botVariables = (sandbox: Sandbox) => ({
  DISCORD_BOT_TOKEN: sandbox.discordBotToken,
  DISCORD_GUILD_ID: sandbox.discordGuildId,
  DISCORD_API_URL: sandbox.discordApiUrl,
});

/** Gives a new member of the server beta access, as the approval does. */
async function approve({ db, sandbox }: MonitorFixture, discordId: string): Promise<void> {
  const now = Date.now();
  const id = newId();
  sandbox.guild.putMember(discordId);
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('users')
      .values({
        id,
        email: `${id}@example.org`,
        username: 'Ann',
        discord_id: discordId,
        beta_requested_at: toIso(now),
        beta_approved_at: toIso(now),
        beta_ever_requested: 1,
        created_at: toIso(now),
        updated_at: toIso(now),
      })
      .execute();
    await requestRolesOf(trx, id, now);
  });
}

it('the daemon gives roles within ten seconds, and one that is killed loses none', () =>
  suite.run(
    async ({ fixture, startDaemon }) => {
      const { db, sandbox } = fixture;
      await db
        .insertInto('settings')
        .values({
          key: 'discord_roles',
          value: JSON.stringify({ instant: '', free: FIRST_ROLES.free, joinAtSignIn: false }),
          description: null,
          updated_at: toIso(Date.now()),
        })
        .execute();
      const hasRole = (discordId: string) => sandbox.guild.rolesOf(discordId)?.includes(FIRST_ROLES.free);
      const first = await startDaemon();
      await approve(fixture, '200000000000000001');
      await eventually(() => expect(hasRole('200000000000000001')).toBe(true), 10_000);

      // One call is carried out without an answer, one is not carried out.
      sandbox.guild.setFaults([
        { kind: 'hang', accept: true, at: ['add'] },
        { kind: 'hang', at: ['add'] },
      ]);
      await approve(fixture, '200000000000000002');
      await approve(fixture, '200000000000000003');
      await eventually(() =>
        expect(
          sandbox.guild.requests().filter(({ at, status }) => at === 'add' && status === null),
        ).toHaveLength(2),
      );
      await first.kill('SIGKILL');
      const second = await startDaemon();
      await eventually(() => {
        expect(hasRole('200000000000000002')).toBe(true);
        expect(hasRole('200000000000000003')).toBe(true);
      });
      await eventually(async () => {
        const rows = await db.selectFrom('member_roles').select(['status', 'found']).execute();
        expect(rows).toEqual(Array.from({ length: 3 }, () => ({ status: 'sent', found: 'held' })));
      });
      for (const daemon of [first, second])
        expect(daemon.stdout() + daemon.stderr()).not.toContain(sandbox.discordBotToken);
    },
    [],
    botVariables,
  ));
