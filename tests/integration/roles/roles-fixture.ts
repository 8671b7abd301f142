import { pino } from 'pino';
import { createDiscordGuild, type DiscordGuild } from '#shared/channels/discord/discord-guild.server';
import { toIso } from '#shared/clock';
import type { MemberRolesTable, RoleAudience } from '#shared/database/tables/members/member-roles';
import { inTransaction } from '#shared/database/transaction';
import { createWriteRetrier } from '#shared/database/write-retrier';
import type { Payer } from '#shared/payments/payments-context';
import { compareRoles } from '#shared/role-sync/compare-roles.server';
import { continueWatchRoles } from '#shared/role-sync/list-watch-roles';
import { createRoleSender } from '#shared/role-sync/send-roles.server';
import { requestRechecks, requestRoles } from '#shared/roles/request-roles';
import type { Selectable } from 'kysely';
import { FIRST_ROLES } from '../../../sandbox/discord/guild';
import { createSubscriptionsFixture, type SubscriptionsFixture } from '../payments/subscriptions-fixture';
import { attemptDue } from '../../attempt';

export const { instant: INSTANT, free: FREE } = FIRST_ROLES;

export interface RolesFixture extends SubscriptionsFixture {
  guild: DiscordGuild;
  /** Adds an account with a linked Discord account that is in the server. */
  linked(discordId: string, options?: { isMember?: boolean }): Promise<Payer>;
  setRoles(settings: { instant?: string; free?: string }): Promise<void>;
  /** Lists one page of the members of a watch's role, as each sweep of the daemon does. */
  listMembers(): Promise<void>;
  /** Sends all due rows once, as the daemon does. */
  sendDue(): Promise<void>;
  compare(): ReturnType<typeof compareRoles>;
  row(discordId: string, audience?: RoleAudience): Promise<Selectable<MemberRolesTable> | undefined>;
  /** The change of a row that decides a role. */
  request(discordId: string): Promise<void>;
}

/** Subscriptions, and the sandbox's Discord server with its roles. `answerWithinMs`: how long Discord may take. */
export async function createRolesFixture({
  answerWithinMs,
}: { answerWithinMs?: number } = {}): Promise<RolesFixture> {
  const base = await createSubscriptionsFixture();
  const { context, db, sandbox } = base;
  const { clock } = context;
  const guild = createDiscordGuild(
    { token: sandbox.discordBotToken, guildId: sandbox.discordGuildId, apiUrl: sandbox.discordApiUrl },
    { appUrl: 'https://packwatch.test', ...(answerWithinMs !== undefined && { answerWithinMs }) },
  );
  const sender = createRoleSender({
    db,
    clock,
    guild,
    logger: pino({ level: 'silent' }),
    owner: 'test',
    outcomes: createWriteRetrier({ onWait: () => undefined }),
  });
  sandbox.guild.set({ limit: 1_000 });
  const fixture: RolesFixture = {
    ...base,
    guild,
    async linked(discordId, { isMember = true } = {}) {
      const account = await base.payer(`member-${discordId}@packwatch.example`);
      if (isMember) sandbox.guild.putMember(discordId);
      await db
        .updateTable('users')
        .set({ discord_id: discordId, discord_username: `user_${discordId}`, beta_approved_at: null })
        .where('id', '=', account.id)
        .execute();
      return account;
    },
    async setRoles(settings) {
      const value = JSON.stringify({ instant: '', free: '', joinAtSignIn: false, ...settings });
      const change = { value, updated_at: toIso(clock.now()) };
      await db
        .insertInto('settings')
        .values({ key: 'discord_roles', description: null, ...change })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(change))
        .execute();
    },
    listMembers: () => continueWatchRoles(db, clock.now()),
    async sendDue() {
      await requestRechecks(db, clock.now());
      await fixture.listMembers();
      await attemptDue(sender);
    },
    compare: () => compareRoles({ db, clock, guild }),
    row: (discordId, audience = 'instant') =>
      db
        .selectFrom('member_roles')
        .selectAll()
        .where('discord_id', '=', discordId)
        .where('audience', '=', audience)
        .executeTakeFirst(),
    request: (discordId) => inTransaction(db, (trx) => requestRoles(trx, [discordId], clock.now())),
    async cleanup() {
      await guild.close();
      await base.cleanup();
    },
  };
  await fixture.setRoles({ instant: INSTANT, free: FREE });
  return fixture;
}
