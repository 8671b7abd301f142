import { writeAudit } from '../../audit/write-audit';
import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { requestRoles } from '../../roles/request-roles';
import type { Account } from '../account';
import { searchKey } from '../search-key';

/** A Discord account, as this site shows it. */
export interface DiscordIdentity {
  id: string;
  username: string;
  /** The avatar's hash. */
  avatar: string | null;
}

/** Links a Discord account (replacing any other) or updates its name and avatar, unless another account has it. */
export async function linkDiscord(
  trx: Transaction,
  { account, discord }: { account: Account; discord: DiscordIdentity },
  now: number,
): Promise<Account> {
  const holder = await trx
    .selectFrom('users')
    .select('id')
    .where('discord_id', '=', discord.id)
    .executeTakeFirst();
  if (holder !== undefined && holder.id !== account.id) return account;
  if (
    account.discord_id === discord.id &&
    account.discord_username === discord.username &&
    account.discord_avatar === discord.avatar
  )
    return account;
  if (account.discord_id !== discord.id) {
    await writeAudit(
      trx,
      {
        actor: { userId: account.id },
        action: 'account.link_discord',
        subject: account.id,
        details: { discord: discord.id, before: account.discord_id },
      },
      now,
    );
  }
  const linked = await trx
    .updateTable('users')
    .set({
      discord_id: discord.id,
      discord_username: discord.username,
      discord_search: searchKey(discord.username),
      discord_avatar: discord.avatar,
      updated_at: toIso(now),
    })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  // The previous Discord account loses its roles.
  if (account.discord_id !== discord.id) await requestRoles(trx, [account.discord_id, discord.id], now);
  return linked;
}
