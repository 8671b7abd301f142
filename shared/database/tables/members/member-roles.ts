import type { Generated } from 'kysely';
import type { OutboxColumns } from '../outbox-columns';

/** The audiences that have one role each. instant: members with Pro; free: members with beta access. */
export type RoleAudience = 'instant' | 'free';

/**
 * The outbox of roles on Discord: one row per Discord account and role. What the member should have is computed when the
 * row is sent, so a row never writes an older state over a newer one. Once sent, a row is deleted if its Discord account
 * is not linked to an account here, or if it is for a watch's role that the member neither has nor should have.
 */
export interface MemberRolesTable extends OutboxColumns {
  discord_id: string;
  /** watch: the role of a watch, for members with Pro who want its alerts. */
  audience: RoleAudience | 'watch';
  /**
   * The role of a watch. Empty: sending the row adds the rows of the account's watches and deletes it. Always empty for
   * an audience, whose role is in the settings.
   */
  role_id: Generated<string>;
  /** 1: a change came while the row was being sent, so it is sent again. */
  again: Generated<0 | 1>;
  /**
   * The last known state on the server (by the sender or the comparison). unknown: nothing yet; held, missing: the member
   * has the role or not; absent: not in the server; banned: known from a refused invitation.
   */
  found: Generated<'unknown' | 'held' | 'missing' | 'absent' | 'banned'>;
  found_at: string | null;
  /** When the member's roles next change without an event; the daemon's sweep sends the row then. */
  recheck_at: string | null;
  /** The change by the last comparison that waits for an admin; null: none. */
  difference: 'add' | 'remove' | null;
}

/** The roles of watches, and those that watches had until the last member has lost them. */
export interface WatchRolesTable {
  role_id: string;
  /** Null: the watch no longer has this role. A watch has at most one role. */
  watch_id: string | null;
  /** pending: not all members have a row in `member_roles` (by a change of the watch); done: they have (by the daemon). */
  fan_out_status: 'pending' | 'done';
  /** The last Discord account that has been listed. */
  fan_out_after: string | null;
}

/** One row: the state of the Discord server at the last comparison. */
export interface DiscordServerTable {
  id: 'server';
  name: string | null;
  /** Why the last comparison failed, and what to do; null: it succeeded. */
  fault: string | null;
  /** When it was made or attempted. */
  compared_at: string;
  /** How many members of the server have an account here. */
  known_members: number;
}
