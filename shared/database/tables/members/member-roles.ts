import type { Generated } from 'kysely';
import type { OutboxColumns } from '../outbox-columns';

/** The audiences that have one role each. instant: members with Pro; free: members with beta access. */
export type RoleAudience = 'instant' | 'free';

/**
 * The outbox of roles on Discord: one row per Discord account and role. What the member should have is computed when the
 * row is sent, so a row never writes an older state over a newer one. A row of a Discord account that is linked to no
 * account here is deleted once it is sent, as is the row of a watch's role that its member neither has nor should have.
 */
export interface MemberRolesTable extends OutboxColumns {
  discord_id: string;
  /** watch: the role of a watch, for members with Pro who want its alerts. */
  audience: RoleAudience | 'watch';
  /**
   * Of a watch: the role. Empty: the row adds the rows of the account's watches when it is sent, and is deleted. Always
   * empty of an audience, whose role is in the settings.
   */
  role_id: Generated<string>;
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

/** The roles of watches, and those that watches had until the last member has lost them. */
export interface WatchRolesTable {
  role_id: string;
  /** Null: of no watch any more. One watch has one role. */
  watch_id: string | null;
  /** pending: not all members have a row in `member_roles` (by a change of the watch); done: they have (by the daemon). */
  fan_out_status: 'pending' | 'done';
  /** The last Discord account that has been listed. */
  fan_out_after: string | null;
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
