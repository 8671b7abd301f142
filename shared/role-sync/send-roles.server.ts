import type { Selectable } from 'kysely';
import type { DiscordGuild, GuildAnswer } from '../channels/discord/discord-guild.server';
import { toIso } from '../clock';
import type { MemberRolesTable } from '../database/tables/members/member-roles';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/outbox-sender';
import type { Outcome } from '../outbox/outcome';
import { isUnlinked, roleOutbox } from '../roles/request-roles';
import { readRoleSettings } from '../roles/role-settings';
import { requestWatchRoles } from './list-watch-roles';
import { readWishes } from './wishes';

export type MemberRole = Selectable<MemberRolesTable>;

/** The result of a sent row: the member has the role or not, or is not in the server. `recheckAt`: ISO. */
export interface RoleFound {
  found: 'held' | 'missing' | 'absent' | 'unknown';
  recheckAt: string | null;
  /** Whether the row of a watch's role is obsolete: the member neither has nor should have the role. */
  isOver?: boolean;
}
export type RoleOutcome = Outcome<RoleFound>;

interface RoleSenderContext extends SenderContext<MemberRole, RoleOutcome> {
  guild: DiscordGuild;
}

/** A fault of Discord or of its settings: the row is retried until it expires. */
function retryOf(answer: Exclude<GuildAnswer<unknown>, { kind: 'ok' }>, isOver: boolean): RoleOutcome {
  if (answer.kind === 'absent') return { kind: 'ok', status: 404, found: 'absent', recheckAt: null, isOver };
  const { status, reason, waitMs, limited } = answer;
  return {
    kind: 'retry',
    status,
    reason,
    ...(waitMs !== undefined && { waitMs }),
    ...(limited !== undefined && { limited }),
  };
}

async function send({ db, clock, guild }: RoleSenderContext, row: MemberRole): Promise<RoleOutcome> {
  const { audience, discord_id: discordId } = row;
  if (isRequestOf(row)) return { kind: 'ok', found: 'unknown', recheckAt: null, isOver: true };
  const roleId = audience === 'watch' ? row.role_id : (await readRoleSettings(db))[audience];
  if (roleId === '') return { kind: 'cancelled', reason: 'no role is set' };
  const member = await guild.readMember(discordId);
  // Read as late as possible: after Discord's answer.
  const wish = (await readWishes(db, { discordIds: [discordId], now: clock.now() })).get(discordId);
  const wanted = wish?.roles.has(roleId) ?? false;
  const isOver = audience === 'watch' && !wanted;
  if (member.kind !== 'ok') return retryOf(member, isOver);
  if (member.value.roles.includes(roleId) !== wanted) {
    const changed = await guild.setRole({ discordId, roleId, has: wanted });
    if (changed.kind !== 'ok') return retryOf(changed, isOver);
  }
  const until = audience === 'free' || !wanted ? null : (wish?.proUntil ?? null);
  return {
    kind: 'ok',
    status: 200,
    found: wanted ? 'held' : 'missing',
    recheckAt: until === null ? null : toIso(until),
    isOver,
  };
}

/** Whether the row covers all watch roles of its account. */
const isRequestOf = ({ audience, role_id }: Pick<MemberRole, 'audience' | 'role_id'>): boolean =>
  audience === 'watch' && role_id === '';

/** Gives and takes the roles of members on Discord. */
export function createRoleSender(context: RoleSenderContext): OutboxSender<MemberRole, RoleOutcome> {
  return createOutboxSender<'member_roles', RoleOutcome>(context, {
    outbox: roleOutbox,
    log: {
      ok: 'the roles on Discord are right',
      cancelled: 'no role to give',
      failed: 'could not set a role',
    },
    send: (row) => send(context, row),
    async adjust(trx, attempts, now) {
      const rows = await trx
        .selectFrom('member_roles')
        .select(['id', 'again', 'found'])
        .where(
          'id',
          'in',
          attempts.map(({ row }) => row.id),
        )
        .execute();
      const stored = new Map(rows.map((row) => [row.id, row]));
      return attempts.map(({ row, outcome, change }) => {
        const { again, found } = stored.get(row.id) ?? { again: 0, found: 'unknown' };
        const seen =
          outcome.kind === 'ok'
            ? {
                // Only a refused invitation distinguishes a ban from leaving.
                found: outcome.found === 'absent' && found === 'banned' ? ('banned' as const) : outcome.found,
                found_at: toIso(now),
                recheck_at: outcome.recheckAt,
                difference: null,
              }
            : {};
        // A change came while this one was being sent.
        const { sent_at: _, ...unsent } = change;
        return again === 1
          ? { ...unsent, ...seen, status: 'pending' as const, due_at: toIso(now), again: 0 as const }
          : { ...change, ...seen };
      });
    },
    async follow(trx, attempts, now) {
      const done = attempts.filter(({ outcome, after }) => outcome.kind === 'ok' && after.status === 'sent');
      await requestWatchRoles(trx, {
        discordIds: done.filter(({ row }) => isRequestOf(row)).map(({ row }) => row.discord_id),
        now,
      });
      const isOver = ({ outcome }: (typeof done)[number]): boolean =>
        outcome.kind === 'ok' && outcome.isOver === true;
      const idsOf = (rows: typeof done): string[] => rows.map(({ row }) => row.id);
      if (done.length > 0)
        await trx
          .deleteFrom('member_roles')
          .where('id', 'in', idsOf(done))
          .where(({ or, eb }) => or([isUnlinked, eb('id', 'in', idsOf(done.filter(isOver)))]))
          .execute();
      return undefined;
    },
    describe: ({ id, audience }) => ({ roleRow: id, audience }),
  });
}
