import type { Generated } from 'kysely';

/** One row per opening of the shop's waiting room, or per restock of a product. */
export interface AlertsTable {
  id: string;
  watch_id: string;
  target_url: string;
  kind: Generated<'waiting_room' | 'restock' | 'preorder'>;
  /** For an offer: its price in minor units, and the available variants as JSON ({key, name}); null: none listed. */
  price_amount: Generated<number | null>;
  price_currency: Generated<string | null>;
  variants: Generated<string | null>;
  /** 1: it was reopened so often that it stays open while stock comes and goes (decide-restock.ts). */
  trickling: Generated<0 | 1>;
  /** JSON: the times of recent reopenings; null: none. */
  reopened_at: Generated<string | null>;
  /** 1, 2, 3 … per watch and page, in the order of opening: times go back when the clock is set back. */
  ordinal: Generated<number>;
  /**
   * open: by the check that saw the waiting room; suspended: by stop or the end of the day's hours; closed: by the
   * second open in a row, or when another page is monitored.
   */
  status: 'open' | 'suspended' | 'closed';
  strength: 'strong' | 'weak';
  /** When the opening check reached its verdict; due times count from here. */
  opened_at: string;
  last_seen_at: string;
  /** The time of the first open verdict of the row that closed it. */
  closed_at: string | null;
  /**
   * moved: another page is monitored now (by the daemon's start); removed: the watch was deleted (by the admin);
   * not_seen: checks resumed after the monitoring hours had ended, or after a gap of hours (by that check). Else null.
   */
  close_reason: 'moved' | 'removed' | 'not_seen' | null;
  suspended_at: string | null;
  /** Grows with each change that the messages must show. */
  revision: number;
  /**
   * pending: the members who want the alert are not all listed in `member_deliveries` yet (by the check that opened or
   * reopened it); done: they are (by the fan-out), or the alert is older than alerts to members.
   */
  fan_out_status: Generated<'pending' | 'done'>;
  /** When the alert was opened or reopened for the members: the expiry of their deliveries counts from here. */
  fan_out_at: string | null;
  /** The id of the last user that the fan-out has listed. */
  fan_out_after: string | null;
  opening_check_id: string;
  closing_check_id: string | null;
}
