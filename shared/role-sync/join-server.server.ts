import type { DiscordGuild } from '../channels/discord/discord-guild.server';
import { toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Logger } from '../logger.server';
import { requestRoles } from '../roles/request-roles';
import { readRoleSettings } from '../roles/role-settings';

/** Adds users to Discord's server who have consented to it at their sign-in. */
export interface ServerJoins {
  /** Whether the sign-in asks for that permission. */
  asksToJoin(): Promise<boolean>;
  /** Adds a user in the background; the sign-in does not wait. */
  join(user: { discordId: string; accessToken: string }): void;
  /** Resolves when no user is being added. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** `guild`: null while roles on Discord are switched off, and with them the invitations. */
export function createServerJoins({
  db,
  clock,
  log,
  guild,
}: {
  db: Database;
  clock: Clock;
  log: Logger;
  guild: DiscordGuild | null;
}): ServerJoins {
  const underWay = new Set<Promise<void>>();

  async function join(server: DiscordGuild, user: { discordId: string; accessToken: string }): Promise<void> {
    if (!(await readRoleSettings(db)).joinAtSignIn) return;
    const answer = await server.join(user);
    if (answer.kind === 'fault')
      log.warn({ reason: answer.reason }, 'could not add a user to the Discord server');
    else
      await inTransaction(db, async (trx) => {
        const now = clock.now();
        await requestRoles(trx, [user.discordId], now);
        if (answer.kind === 'absent')
          await trx
            .updateTable('member_roles')
            .set({ found: 'banned', found_at: toIso(now) })
            .where('discord_id', '=', user.discordId)
            .execute();
      });
  }

  return {
    asksToJoin: async () => guild !== null && (await readRoleSettings(db)).joinAtSignIn,
    join(user) {
      if (guild === null) return;
      const work = join(guild, user)
        .catch((error: unknown) => log.warn({ err: error }, 'could not add a user to the Discord server'))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async settled() {
      await Promise.all(underWay);
    },
    async close() {
      await guild?.close();
      await Promise.all(underWay);
    },
  };
}
