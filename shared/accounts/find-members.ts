import type { Database } from '../database/schema';
import { findProMembers } from '../subscriptions/list-pro-members';
import { searchKey } from './search-key';

const PER_PAGE = 25;
/** In texts with the same beginning, no text comes after the one that continues with this (both engines compare code points). */
const LAST_CHARACTER = '\u{10ffff}';

/** An account in the admins' list. Times are ISO-8601 UTC. */
export interface ListedMember {
  id: string;
  email: string;
  username: string;
  discordUsername: string | null;
  tier: 'free' | 'pro';
  createdAt: string;
  isAdmin: boolean;
  /** Its address was confirmed. */
  isConfirmed: boolean;
  isDisabled: boolean;
}

export interface MembersPage {
  members: ListedMember[];
  page: number;
  totalPages: number;
  total: number;
}

/** The ids of the accounts whose email, name or Discord name begins with a text, or whose Discord id it is. */
function matching(db: Database, text: string) {
  // Every text begins with an empty one, and none with the last character.
  const key = searchKey(text) || LAST_CHARACTER;
  const beginning = (column: 'email' | 'username_search' | 'discord_search') =>
    db
      .selectFrom('users')
      .select('id')
      .where(column, '>=', key)
      .where(column, '<', key + LAST_CHARACTER);
  // A union, so that each part uses the index of its column.
  return beginning('email')
    .union(beginning('username_search'))
    .union(beginning('discord_search'))
    .union(db.selectFrom('users').select('id').where('discord_id', '=', text.trim()));
}

/**
 * A page of the accounts that a text finds, by their address; without a text all, the newest first. A page past the end is
 * the last one. `now`: epoch ms.
 */
export async function findMembers(
  db: Database,
  { text, page, now }: { text: string; page: number; now: number },
): Promise<MembersPage> {
  const found =
    text.trim() === ''
      ? db.selectFrom('users')
      : db.selectFrom('users').where('users.id', 'in', matching(db, text));
  const { count } = await found
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const total = Number(count);
  const totalPages = Math.max(1, Math.ceil(total / PER_PAGE));
  const shown = Math.min(page, totalPages);
  const rows = await found
    .select([
      'id',
      'email',
      'username',
      'discord_username',
      'created_at',
      'role',
      'email_verified_at',
      'disabled_at',
    ])
    .$if(text.trim() !== '', (query) => query.orderBy('email'))
    .$if(text.trim() === '', (query) => query.orderBy('created_at', 'desc').orderBy('id', 'desc'))
    .limit(PER_PAGE)
    .offset((shown - 1) * PER_PAGE)
    .execute();
  const accountIds = rows.map(({ id }) => id);
  const pro = accountIds.length === 0 ? new Set() : await findProMembers(db, { accountIds, now });
  return {
    members: rows.map((row) => ({
      id: row.id,
      email: row.email,
      username: row.username,
      discordUsername: row.discord_username,
      tier: pro.has(row.id) ? 'pro' : 'free',
      createdAt: row.created_at,
      isAdmin: row.role === 'admin',
      isConfirmed: row.email_verified_at !== null,
      isDisabled: row.disabled_at !== null,
    })),
    page: shown,
    totalPages,
    total,
  };
}
