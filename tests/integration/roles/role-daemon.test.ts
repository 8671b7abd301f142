import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { requestRolesOf } from '#shared/roles/request-roles';
import { setWatchRole } from '#shared/roles/watch-roles';
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

it('a role of beta access does not wait for the members of a watch that gets a role', () =>
  suite.run(
    async ({ fixture, startDaemon }) => {
      const { db, sandbox } = fixture;
      const WATCH_ROLE = '310000000000000001';
      const count = 60;
      sandbox.guild.putRole(WATCH_ROLE, { name: 'Card Shop', position: 1 });
      sandbox.guild.set({ limit: 1_000 });
      const now = toIso(Date.now());
      await db
        .insertInto('settings')
        .values({
          key: 'discord_roles',
          value: JSON.stringify({ instant: '', free: FIRST_ROLES.free, joinAtSignIn: false }),
          description: null,
          updated_at: now,
        })
        .execute();
      const pro = { status: 'active' as const, current_period_end: toIso(Date.now() + DAY) };
      for (let number = 0; number < count; number += 1) {
        const id = newId();
        const discordId = `3000000000000000${String(number).padStart(2, '0')}`;
        sandbox.guild.putMember(discordId);
        await db
          .insertInto('users')
          .values({
            id,
            email: `${id}@example.org`,
            username: 'Ann',
            discord_id: discordId,
            created_at: now,
            updated_at: now,
          })
          .execute();
        await db
          .insertInto('subscriptions')
          .values({
            id,
            user_id: id,
            package_id: 'pro-monthly',
            ...pro,
            created_at: now,
            updated_at: now,
          })
          .execute();
      }
      // Each takes two calls of at least this time, two members at a time.
      sandbox.guild.setFaults([{ kind: 'delay', ms: 400, persistent: true }]);
      await inTransaction(db, (trx) => setWatchRole(trx, { watchId: DEFAULT_WATCH_ID, roleId: WATCH_ROLE }));
      await startDaemon();
      const holders = () => sandbox.guild.members().filter(({ roles }) => roles.includes(WATCH_ROLE)).length;
      await eventually(() => expect(holders()).toBeGreaterThan(0), 10_000);
      await approve(fixture, '200000000000000009');
      await eventually(
        () => expect(sandbox.guild.rolesOf('200000000000000009')).toContain(FIRST_ROLES.free),
        10_000,
      );
      expect(holders()).toBeLessThan(count);
      sandbox.guild.setFaults([]);
      await eventually(() => expect(holders()).toBe(count), 30_000);
    },
    [],
    botVariables,
  ));

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
