/** What is wrong with payments now, one row per fault; the row is deleted when the fault is over. */
export interface PaymentFaultsTable {
  /** See `PaymentFault`. */
  fault: string;
  /** Sentences for operators. */
  reason: string;
  since: string;
  /** When the admins were notified (by the daemon). */
  notified_at: string | null;
  updated_at: string;
}
