/** What the admins must hear; sent through `alert_deliveries`. */
export interface AdminNoticesTable {
  id: string;
  kind: 'silence_began' | 'silence_ended' | 'daemon_gone' | 'daemon_back' | 'delivery_failed' | 'no_receiver';
  /** Makes a repeat impossible: the same event has the same key. */
  dedupe_key: string;
  title: string;
  body: string;
  created_at: string;
}
