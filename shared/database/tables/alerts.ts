/** One row per opening of the shop's waiting room. */
export interface AlertsTable {
  id: string;
  watch_id: string;
  target_url: string;
  /** `open` and back by the check that saw the room; `suspended` by stop or the end of the day's hours; `closed` by the second open in a row, or because another page is monitored now. */
  status: 'open' | 'suspended' | 'closed';
  strength: 'strong' | 'weak';
  /** When the check that opened it reached its verdict: every due time counts from here. */
  opened_at: string;
  last_seen_at: string;
  /** The first of the opens in a row that closed it. */
  closed_at: string | null;
  /** `moved`: another page is monitored now, so nothing saw this one open again (by the daemon's start). Else null. */
  close_reason: 'moved' | null;
  suspended_at: string | null;
  /** Grows with each change that the messages must show. */
  revision: number;
  opening_check_id: string;
  closing_check_id: string | null;
}
