/** Notices to the admins, sent through `alert_deliveries`. */
export interface AdminNoticesTable {
  id: string;
  kind:
    | 'silence_began'
    | 'silence_ended'
    | 'daemon_gone'
    | 'daemon_back'
    | 'delivery_failed'
    | 'no_receiver'
    | 'payment_event_failed'
    | 'payments_fault'
    | 'payment_reversed';
  /** Unique per event, which prevents repeats. */
  dedupe_key: string;
  title: string;
  body: string;
  created_at: string;
}
