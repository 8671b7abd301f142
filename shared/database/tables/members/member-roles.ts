import type { Generated } from 'kysely';
import type { OutboxColumns } from '../outbox-columns';

/** What a role of Discord's server is for. instant: members with Pro; free: members with beta access. */
export type RoleAudience = 'instant' | 'free';

/**
 * The outbox of roles on Discord: one row per Discord account and audience. What the member should have is computed when
 * the row is sent, so a row never writes an older state over a newer one. A row of a Discord account that is linked to no
 * account of ours is deleted once it is sent.
 */
export interface MemberRolesTable extends OutboxColumns {
  discord_id: string;
  audience: RoleAudience;
  /** 1: a change came while the row was being sent, so it is sent once more. */
  again: Generated<0 | 1>;
  /**
   * What the server said last (by the sender or the comparison). unknown: nothing yet; held, missing: the member has the
   * role or not; absent: not in the server; banned: known from a refused invitation.
   */
  found: Generated<'unknown' | 'held' | 'missing' | 'absent' | 'banned'>;
  found_at: string | null;
  /** When what the member should have changes by time alone; the daemon's sweep sends the row then. */
  recheck_at: string | null;
  /** What the last comparison would change, while that waits for an admin; null: nothing. */
  difference: 'add' | 'remove' | null;
}

/** One row: Discord's server, as the last comparison found it. */
export interface DiscordServerTable {
  id: 'server';
  name: string | null;
  /** Why the last comparison could not be made, and what to do; null: it was made. */
  fault: string | null;
  /** When it was made, or tried. */
  compared_at: string;
  /** How many members of the server have an account here. */
  known_members: number;
}
